-- +goose Up

-- A text that was removed keeps its row, which says so, and its path may be that of another
-- one later. lost is how many bytes could not be kept, such as on a full disk.
CREATE TABLE outputs_now (
    num           INTEGER PRIMARY KEY,
    session_num   INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
    invocation_id TEXT NOT NULL,
    path          TEXT NOT NULL,
    bytes         INTEGER NOT NULL,
    lost          INTEGER NOT NULL DEFAULT 0,
    created_at    INTEGER NOT NULL,
    removed_at    INTEGER
) STRICT;
INSERT INTO outputs_now (num, session_num, invocation_id, path, bytes, created_at)
    SELECT num, session_num, invocation_id, path, bytes, created_at FROM outputs;
DROP TABLE outputs;
ALTER TABLE outputs_now RENAME TO outputs;
CREATE INDEX outputs_session ON outputs (session_num);
CREATE INDEX outputs_call ON outputs (invocation_id);
CREATE UNIQUE INDEX outputs_path ON outputs (path) WHERE removed_at IS NULL;

-- What a person keeps for a time, by its content. It outlives its session.
CREATE TABLE artifacts (
    num        INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    output_num INTEGER REFERENCES outputs (num) ON DELETE SET NULL,
    name       TEXT NOT NULL,
    sha256     TEXT NOT NULL,
    bytes      INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX artifacts_output ON artifacts (output_num);
CREATE INDEX artifacts_expiry ON artifacts (expires_at);
CREATE INDEX artifacts_content ON artifacts (sha256);
