-- Version 1. What is written once is never changed: triggers hold that even against a mistake in the code.

CREATE TABLE rulesets (
    hash   TEXT PRIMARY KEY CHECK (length(hash) = 64),
    source BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE revisions (
    name     TEXT NOT NULL,
    depth    INTEGER NOT NULL CHECK (depth >= 0),
    hash     TEXT NOT NULL REFERENCES rulesets (hash),
    bound_at TEXT NOT NULL,
    PRIMARY KEY (name, depth)
) STRICT, WITHOUT ROWID;

-- The current library is the rows that nothing replaced.
CREATE TABLE converters (
    id          INTEGER PRIMARY KEY,
    from_unit   TEXT NOT NULL,
    to_unit     TEXT NOT NULL,
    factor      TEXT NOT NULL,
    offset      TEXT NOT NULL,
    attribution TEXT,
    replaced_by INTEGER REFERENCES converters (id) DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE approvals (
    id                INTEGER PRIMARY KEY,
    hash              TEXT NOT NULL REFERENCES rulesets (hash),
    unit_library_hash TEXT CHECK (length(unit_library_hash) = 64),
    approver          TEXT NOT NULL,
    approved_at       TEXT NOT NULL,
    note              TEXT
) STRICT;
CREATE INDEX approvals_by_hash ON approvals (hash);

CREATE TRIGGER rulesets_stay BEFORE UPDATE ON rulesets
BEGIN SELECT RAISE(ABORT, 'a stored ruleset does not change'); END;
CREATE TRIGGER rulesets_remain BEFORE DELETE ON rulesets
BEGIN SELECT RAISE(ABORT, 'a stored ruleset is not deleted'); END;
CREATE TRIGGER revisions_stay BEFORE UPDATE ON revisions
BEGIN SELECT RAISE(ABORT, 'a revision does not change'); END;
CREATE TRIGGER revisions_remain BEFORE DELETE ON revisions
BEGIN SELECT RAISE(ABORT, 'a revision is not deleted'); END;
CREATE TRIGGER converters_stay BEFORE UPDATE OF from_unit, to_unit, factor, offset, attribution ON converters
BEGIN SELECT RAISE(ABORT, 'a converter does not change: it is replaced'); END;
CREATE TRIGGER converters_remain BEFORE DELETE ON converters
BEGIN SELECT RAISE(ABORT, 'a converter is not deleted'); END;
CREATE TRIGGER approvals_stay BEFORE UPDATE ON approvals
BEGIN SELECT RAISE(ABORT, 'an approval does not change'); END;
