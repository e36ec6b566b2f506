#!/usr/bin/env python3
"""Times documents of three rows against single rows: groups.py [FOLDER=target/bench] [RUNS=3] [ASSAY=target/release/assay].

FOLDER holds what generate.py made. Each claim there is read by three readers: three rows, one below the other, of whose
values 5% are another row's and 5% are not there. They are run with `group_by` and without, and so are the claims as they
are, by turns and on one thread; what counts is the median of the processor seconds of the whole process. A document of
three rows is to cost no more than one and a half times three single rows, be they the same ones or those of the claims.

Needs numpy, pyarrow and DuckDB for Python.
"""
import os
import statistics
import sys

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from compare import assay_command, timed

READERS, WRONG, DROPPED = 3, 0.05, 0.05
CASES = [("parquet", "wide", "parquet"), ("parquet", "long", "parquet"), ("jsonl", "long", "parquet"), ("csv", "long", "parquet")]


def make(folder, groups):
    """Three extractions of every claim, in every format."""
    random = np.random.default_rng(7)
    claims = pq.read_table(f"{folder}/claims.parquet").combine_chunks()
    rows = np.repeat(np.arange(claims.num_rows), READERS)
    columns = {}
    for name in claims.column_names:
        luck = random.random(len(rows))
        others = random.integers(0, claims.num_rows, len(rows))
        taken = np.where(luck < WRONG, others, rows) if name != "doc_id" else rows
        dropped = (luck >= WRONG) & (luck < WRONG + DROPPED) & (name != "doc_id")
        columns[name] = claims[name].take(pa.array(taken, mask=dropped)).combine_chunks()
    pq.write_table(pa.table(columns), f"{groups}/claims.parquet", compression="zstd", row_group_size=131072)
    source = f"'{groups}/claims.parquet'"
    duckdb.execute(f"COPY (FROM {source}) TO '{groups}/claims.jsonl' (FORMAT json)")
    duckdb.execute(f"COPY (FROM {source}) TO '{groups}/claims.csv' (FORMAT csv, HEADER)")


def main():
    arguments = dict(enumerate(sys.argv[1:]))
    folder, runs = arguments.get(0, "target/bench"), int(arguments.get(1, 3))
    assay = arguments.get(2, "target/release/assay")
    groups = f"{folder}/groups"
    if not os.path.exists(f"{groups}/claims.csv"):
        os.makedirs(groups, exist_ok=True)
        make(folder, groups)
    print("case                         single s  rows s   three s   MB  of three single  of the same rows")
    for case in CASES:
        times = [[], [], []]
        for _ in range(runs):
            claims = f"claims.{case[0]}", *case[1:]
            commands = [
                assay_command(assay, folder, *claims),
                assay_command(assay, groups, *claims),
                assay_command(assay, groups, *claims, "--group-by", "doc_id"),
            ]
            for command, taken in zip(commands, times):
                taken.append(timed(command))
        single, rows, three = [statistics.median(seconds for seconds, _ in taken) for taken in times]
        memory = max(memory for _, memory in times[2])
        name = f"{case[0]} to {case[1]} {case[2]}"
        ratios = f"{three / (READERS * single):16.2f} {three / rows:17.2f}"
        print(f"{name:28} {single:8.2f} {rows:7.2f} {three:9.2f} {memory:4.0f} {ratios}", flush=True)


if __name__ == "__main__":
    main()
