-- +goose Up

-- The images that a session has: it had each kept, and the file of one goes only when no row
-- names it any more.
CREATE TABLE media (
    session_num INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
    sha256      TEXT NOT NULL,
    mime        TEXT NOT NULL,
    bytes       INTEGER NOT NULL,
    width       INTEGER NOT NULL,
    height      INTEGER NOT NULL,
    kept_at     INTEGER NOT NULL,
    PRIMARY KEY (session_num, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX media_sha256 ON media (sha256);
