#!/usr/bin/env python3
"""Times assay beside DuckDB: compare.py [FOLDER=target/bench] [RUNS=3] [ASSAY=target/release/assay].

FOLDER holds what generate.py made. Each pair of input and output is run RUNS times, the two programs by turns and on one
thread each; what is compared is processor time (user and system) of the whole process, which neighbours disturb least,
and the median counts. Before any time is believed the counts of TRUE, FALSE and UNKNOWN must agree for every assertion.
Without DuckDB for Python only assay is timed.
"""
import hashlib
import importlib.util
import json
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
POLICY = os.path.join(HERE, "policy.dsail")
OPEN = os.path.join(HERE, "open.dsail")

# The assertions of policy.dsail. SQL's null is UNKNOWN.
SQL = {
    "a01_cap": "amount <= 25000",
    "a02_receipt": "NOT (amount > 75) OR has_receipt",
    "a03_nights": "category <> 'travel' OR nights >= 1",
    "a04_meal_ratio": "category <> 'meals' OR amount / attendees <= 80",
    "a05_approval": "amount <= 1000 OR approved_by_manager",
    "a06_timely": "submitted_days <= 60",
    "a07_lodging": "category <> 'lodging' OR amount <= 350 * nights",
    "a08_mileage": "category <> 'mileage' OR amount <= 0.70 * distance_km",
    "a09_evidence": "amount < 500 OR (has_receipt AND approved_by_manager)"
    " OR (submitted_days <= 7 AND merchant_country = 'US') OR (category = 'supplies' AND amount < 2000)",
    "a10_country": "NOT (merchant_country IN ('IR','SY'))"
    " AND (NOT (amount > 5000) OR (has_receipt AND approved_by_manager))",
}
TYPES = {
    "doc_id": "VARCHAR",
    "amount": "DECIMAL(12,2)",
    "has_receipt": "BOOLEAN",
    "category": "VARCHAR",
    "nights": "INTEGER",
    "attendees": "INTEGER",
    "approved_by_manager": "BOOLEAN",
    "submitted_days": "INTEGER",
    "merchant_country": "VARCHAR",
    "distance_km": "DECIMAL(9,1)",
}
CASES = [
    ("parquet", "wide", "parquet"),
    ("parquet", "long", "parquet"),
    ("jsonl", "wide", "parquet"),
    ("jsonl", "long", "jsonl"),
    ("csv", "long", "parquet"),
]


def source(folder, kind):
    columns = "{" + ",".join(f"'{name}':'{of}'" for name, of in TYPES.items()) + "}"
    return {
        "parquet": f"read_parquet('{folder}/claims.parquet')",
        "jsonl": f"read_json('{folder}/claims.jsonl', format='newline_delimited', columns={columns})",
        "csv": f"read_csv('{folder}/claims.csv', header=true, columns={columns})",
    }[kind]


def duckdb(folder, kind, layout, form):
    """Runs in a process of its own: the same columns as assay writes, into one file; counts where `form` is `none`."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads=1")
    connection.execute("SET preserve_insertion_order=true")
    claims = source(folder, kind)
    if form == "none":
        counts = ",".join(
            f"count(*) FILTER ({sql}), count(*) FILTER (NOT ({sql})), count(*) FILTER (({sql}) IS NULL)"
            for sql in SQL.values()
        )
        return print(json.dumps(connection.execute(f"SELECT {counts} FROM {claims}").fetchone()))
    pair = f"'{'9f' * 32}' AS ruleset_hash, NULL::VARCHAR AS unit_library_hash"
    word = "CASE WHEN ({0}) THEN 'TRUE' WHEN NOT ({0}) THEN 'FALSE' ELSE 'UNKNOWN' END".format
    if layout == "wide":
        words = ", ".join(f"{word(sql)} AS {name}" for name, sql in SQL.items())
        query = f"SELECT doc_id AS id, {words}, {pair} FROM {claims}"
    else:
        answers = ",".join(f"{{'assertion':'{name}','holds':({sql})}}" for name, sql in SQL.items())
        query = (
            f"SELECT doc_id AS id, answer.assertion AS rule, answer.assertion AS assertion,"
            f" {word('answer.holds')} AS check, NULL::VARCHAR AS reason_unknown, NULL::VARCHAR AS contradicted, {pair}"
            f" FROM (SELECT doc_id, unnest([{answers}]) AS answer FROM {claims})"
        )
    options = {"parquet": "FORMAT parquet, COMPRESSION zstd", "jsonl": "FORMAT json", "csv": "FORMAT csv, HEADER"}
    connection.execute(f"COPY ({query}) TO '{folder}/duckdb.{form}' ({options[form]})")


def timed(command):
    """The processor seconds of a process, and the most memory it held, in MB."""
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def assay_command(assay, folder, name, layout, form, *more, policy=POLICY):
    pin = hashlib.sha256(open(policy, "rb").read()).hexdigest()
    flags = ["--ruleset-file", policy, "--pin", pin, "--units", "none", "--id", "doc_id", "--threads", "1"]
    flags += ["--input", f"{folder}/{name}", "--layout", layout, "--format", form, *more]
    return [assay, "run", *flags, "--output", f"{folder}/results", "--overwrite", "--quiet"]


def manifest(folder):
    return json.load(open(f"{folder}/results/run.json"))


def our_counts(folder):
    """The counts of TRUE, FALSE and UNKNOWN of the last run of assay, assertion by assertion."""
    checks = [assertion["checks"] for assertion in manifest(folder)["assertions"]]
    return [check[word] for check in checks for word in ("TRUE", "FALSE", "UNKNOWN")]


def peer_counts(folder):
    command = [sys.executable, __file__, "--duckdb", folder, "parquet", "wide", "none"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def must_agree(ours, theirs, what):
    if ours != theirs:
        sys.exit(f"{what}: the counts differ: assay {ours}, expected {theirs}")


def assay_alone(assay, folder, runs, counts):
    """What only assay does: values as texts, and the solver."""
    plain, text = [], []
    for _ in range(runs):
        plain.append(timed(assay_command(assay, folder, "claims.jsonl", "wide", "parquet"))[0])
        text.append(timed(assay_command(assay, folder, "claims_text.jsonl", "wide", "parquet"))[0])
        must_agree(our_counts(folder), counts, "values as texts")
    ratio = statistics.median(text) / statistics.median(plain)
    print(f"values as texts: {statistics.median(text):.2f} s, {ratio:.2f} times the plain ones")
    few = assay_command(assay, folder, "few.jsonl", "wide", "parquet")
    timed(few)
    evaluated = our_counts(folder)
    solver = [timed([*few, "--engine", "z3"])[0] for _ in range(runs)]
    must_agree(our_counts(folder), evaluated, "the solver alone")
    rows = manifest(folder)["rows"]["read"]
    print(f"the solver alone: {rows / statistics.median(solver):.0f} claims a second")
    every = assay_command(assay, folder, "open.jsonl", "wide", "parquet", policy=OPEN)
    solver = [timed(every)[0] for _ in range(runs)]
    rows = manifest(folder)["rows"]["read"]
    must_agree(our_counts(folder), [rows, 0, 0], "every claim open")
    print(f"every claim leaves a question of its own to the solver: {rows / statistics.median(solver):.0f} claims a second")


def main():
    arguments = dict(enumerate(sys.argv[1:]))
    folder, runs = arguments.get(0, "target/bench"), int(arguments.get(1, 3))
    assay = arguments.get(2, "target/release/assay")
    peer = importlib.util.find_spec("duckdb") is not None
    if not peer:
        print("DuckDB for Python is not installed: only assay is timed")
    counts = peer_counts(folder) if peer else None
    print("case                         assay s   MB    MB out  DuckDB s  MB out  ratio")
    for case in CASES:
        ours, theirs, memory = [], [], []
        for _ in range(runs):
            seconds, most = timed(assay_command(assay, folder, f"claims.{case[0]}", *case[1:]))
            ours.append(seconds)
            memory.append(most)
            if peer:
                theirs.append(timed([sys.executable, __file__, "--duckdb", folder, *case])[0])
        # Without DuckDB the first case is what the others must agree with.
        counts = counts or our_counts(folder)
        must_agree(our_counts(folder), counts, " ".join(case))
        size = os.path.getsize(f"{folder}/results/results.{case[2]}") / 1e6
        line = f"{case[0] + ' to ' + case[1] + ' ' + case[2]:28} {statistics.median(ours):7.2f} {max(memory):5.0f} {size:8.1f}"
        if peer:
            peer_size = os.path.getsize(f"{folder}/duckdb.{case[2]}") / 1e6
            ratio = statistics.median(ours) / statistics.median(theirs)
            line += f" {statistics.median(theirs):9.2f} {peer_size:7.1f} {ratio:6.2f}"
        print(line, flush=True)
    print("the counts agree" + (" with DuckDB's" if peer else " with each other"))
    assay_alone(assay, folder, runs, counts)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--duckdb"]:
        duckdb(*sys.argv[2:])
    else:
        main()
