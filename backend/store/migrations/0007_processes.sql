-- +goose Up

-- One row for each managed process. program is the one that keeps it; its row in programs
-- goes when it ends, and then a process that still counts as running was left behind. birth
-- is the system's own words on the start of pid, which makes the two mean one process.
CREATE TABLE processes (
    num         INTEGER PRIMARY KEY,
    session_num INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
    id          TEXT NOT NULL,
    program     TEXT NOT NULL,
    pid         INTEGER NOT NULL,
    birth       TEXT NOT NULL,
    command     TEXT NOT NULL,
    dir         TEXT NOT NULL,
    input       INTEGER NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('running', 'exited', 'stopped', 'failed')),
    exit_code   INTEGER,
    signal      TEXT NOT NULL DEFAULT '',
    log         TEXT NOT NULL,
    lines       INTEGER NOT NULL DEFAULT 0,
    bytes       INTEGER NOT NULL DEFAULT 0,
    started_at  INTEGER NOT NULL,
    ended_at    INTEGER,
    UNIQUE (session_num, id)
) STRICT;
CREATE INDEX processes_running ON processes (program) WHERE status = 'running';
CREATE INDEX processes_ended ON processes (ended_at) WHERE status <> 'running';
