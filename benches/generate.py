#!/usr/bin/env python3
"""Makes expense claims to time runs over: generate.py [ROWS=1000000] [FOLDER=target/bench] [SEED=7].

Writes the same claims as claims.jsonl (null where unknown), claims_text.jsonl ("120.00 USD", "unknown"), claims.csv (an
empty cell) and claims.parquet (zstd); the first 20,000 of them as few.jsonl; and as many as open.jsonl, for open.dsail. The
amounts are log-normal by category, some are very large and some sit right at a limit of policy.dsail; 5 to 20 in a
hundred receipts, approvals and nights are unknown. The same arguments give the same values with the same numpy.

Needs numpy and pyarrow.
"""
import os
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

CATEGORIES = ["travel", "meals", "lodging", "mileage", "supplies", "training"]
COUNTRIES = ["US", "CA", "GB", "DE", "FR", "IN", "JP", "BR", "AE", "IR", "SY", "NG"]
SHARES = [0.5, 0.08, 0.09, 0.08, 0.06, 0.06, 0.04, 0.03, 0.03, 0.005, 0.005, 0.02]
# How many claims are held at a time.
BLOCK = 1_000_000
# How many claims the solver is timed with.
FEW = 20_000
UNITS = {"amount": "USD", "distance_km": "km"}


def block(random, first, rows):
    """Some claims, by column; amounts in cents and distances in tenths of a kilometre."""
    category = random.choice(6, rows, p=[0.25, 0.28, 0.15, 0.12, 0.12, 0.08])
    mean = np.array([6.2, 4.0, 6.0, 4.2, 4.8, 6.8])[category]
    spread = np.array([1.0, 0.8, 0.7, 0.9, 1.1, 0.9])[category]
    cents = np.clip(np.round(np.exp(random.normal(mean, spread)) * 100), 100, 99_999_999).astype(np.int64)
    cents[random.random(rows) < 0.002] *= 40
    cents = np.minimum(cents, 9_999_999_999)
    edge = random.random(rows) < 0.002
    cents[edge] = random.choice([7500, 7501, 100000, 2500000, 2500001, 50000], edge.sum())
    receipt, no_receipt = random.random(rows) < 0.86, random.random(rows) < 0.05
    away = (category == 0) | (category == 2)
    nights = np.where(away, random.poisson(2.2, rows), random.poisson(0.2, rows)).astype(np.int32)
    no_nights = random.random(rows) < 0.20
    attendees = np.where(category == 1, 1 + random.poisson(1.6, rows), 1).astype(np.int32)
    approved = random.random(rows) < np.where(cents > 100_000, 0.9, 0.3)
    not_known = random.random(rows) < 0.10
    days = np.minimum(random.gamma(1.6, 12, rows), 400).astype(np.int32)
    country = random.choice(len(COUNTRIES), rows, p=SHARES)
    driven = np.round(cents / 100 / random.uniform(0.45, 0.85, rows) * 10)
    tenths = np.where(category == 3, driven, np.round(random.gamma(1, 80, rows) * 10)).astype(np.int64)
    return {
        "doc_id": pa.array([f"EXP-2025-{first + row:08d}" for row in range(rows)]),
        "amount": decimal(cents, 12, 2),
        "has_receipt": pa.array(receipt, mask=no_receipt),
        "category": pa.array([CATEGORIES[at] for at in category]),
        "nights": pa.array(nights, mask=no_nights),
        "attendees": pa.array(attendees),
        "approved_by_manager": pa.array(approved, mask=not_known),
        "submitted_days": pa.array(days),
        "merchant_country": pa.array([COUNTRIES[at] for at in country]),
        "distance_km": decimal(np.minimum(tenths, 99_999_999), 9, 1),
    }


def decimal(unscaled, precision, scale):
    """Whole numbers as exact decimals."""
    halves = np.empty((len(unscaled), 2), dtype=np.int64)
    halves[:, 0] = unscaled
    halves[:, 1] = np.where(unscaled < 0, -1, 0)
    kind = pa.decimal128(precision, scale)
    return pa.Array.from_buffers(kind, len(unscaled), [None, pa.py_buffer(halves.tobytes())])


def json_text(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)


def loose_text(name, text):
    """A value as a text that people write."""
    if text == "null":
        return '"unknown"'
    return f'"{text} {UNITS[name]}"' if name in UNITS else text


def main():
    arguments = dict(enumerate(sys.argv[1:]))
    rows, folder = int(arguments.get(0, 1_000_000)), arguments.get(1, "target/bench")
    random = np.random.default_rng(int(arguments.get(2, 7)))
    os.makedirs(folder, exist_ok=True)
    parquet = None
    with open(f"{folder}/open.jsonl", "w") as lines:
        for row in range(FEW):
            lines.write(f'{{"doc_id":"OPEN-{row:08d}","amount":{row}.25,"tip":null}}\n')
    few = open(f"{folder}/few.jsonl", "w")
    claims_text = open(f"{folder}/claims_text.jsonl", "w")
    with few, claims_text, open(f"{folder}/claims.jsonl", "w") as jsonl, open(f"{folder}/claims.csv", "w") as csv:
        written = 0
        for first in range(0, rows, BLOCK):
            table = pa.table(block(random, first, min(BLOCK, rows - first)))
            if parquet is None:
                parquet = pq.ParquetWriter(f"{folder}/claims.parquet", table.schema, compression="zstd")
                csv.write(",".join(table.column_names) + "\n")
            parquet.write_table(table, row_group_size=131_072)
            keys = [f'"{name}":' for name in table.column_names]
            for claim in zip(*(column.to_pylist() for column in table.columns)):
                texts = [json_text(value) for value in claim]
                line = "{" + ",".join(key + text for key, text in zip(keys, texts)) + "}\n"
                jsonl.write(line)
                if written < FEW:
                    few.write(line)
                written += 1
                loose = (key + loose_text(name, text) for name, key, text in zip(table.column_names, keys, texts))
                claims_text.write("{" + ",".join(loose) + "}\n")
                csv.write(",".join("" if text == "null" else text.strip('"') for text in texts) + "\n")
    if parquet is not None:
        parquet.close()


if __name__ == "__main__":
    main()
