-- +goose Up

-- What a person let in of a tool set, by the directory of the set: its manifest, byte for byte,
-- and its programs as JSON, each with its path and the hash of its content.
CREATE TABLE tool_sets (
    path        TEXT PRIMARY KEY,
    origin      TEXT NOT NULL,
    directory   TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    manifest    BLOB NOT NULL,
    programs    TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    accepted_by TEXT NOT NULL CHECK (accepted_by IN ('sight', 'person'))
) STRICT;
