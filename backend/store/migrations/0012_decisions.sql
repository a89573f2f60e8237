-- +goose Up

-- What was decided in a session, in its order: text is canonical JSON and a copy without secrets,
-- hash is over its bytes, and in it stands the hash of the entry before.
CREATE TABLE decisions (
    num         INTEGER PRIMARY KEY,
    session_num INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
    seq         INTEGER NOT NULL,
    kind        TEXT NOT NULL,
    approval_id TEXT NOT NULL,
    hash        TEXT NOT NULL,
    text        TEXT NOT NULL,
    UNIQUE (session_num, seq)
) STRICT;

-- What a person is shown of a request as it waits: a copy without secrets, byte for byte.
CREATE TABLE shown_cards (
    approval_num INTEGER PRIMARY KEY REFERENCES approvals (num) ON DELETE CASCADE,
    hash         TEXT NOT NULL,
    text         TEXT NOT NULL
) STRICT;

-- The record of a session that had calls already begins behind them: after is the number of its
-- last event until then.
CREATE TABLE record_starts (
    session_num INTEGER PRIMARY KEY REFERENCES sessions (num) ON DELETE CASCADE,
    after       INTEGER NOT NULL,
    calls       INTEGER NOT NULL
) STRICT;
INSERT INTO record_starts (session_num, after, calls)
SELECT i.session_num, COALESCE((SELECT MAX(e.seq) FROM events e WHERE e.session_num = i.session_num), 0), COUNT(*)
FROM invocations i GROUP BY i.session_num;
