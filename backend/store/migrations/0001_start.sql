-- +goose Up

-- Times are milliseconds since 1970 in UTC. The one exception is file_stamps.mtime_ns:
-- a file counts as unchanged only if its time is the same to the nanosecond.

-- One row for each program that lives, or died without a word.
CREATE TABLE programs (
    id         TEXT PRIMARY KEY,
    pid        INTEGER NOT NULL,
    started_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A number is never given again, so that what is remembered of one stays true.
CREATE TABLE sessions (
    num            INTEGER PRIMARY KEY AUTOINCREMENT,
    id             TEXT NOT NULL UNIQUE,
    title          TEXT NOT NULL,
    workspace      TEXT NOT NULL,
    trust_root     TEXT NOT NULL,
    caller_kind    TEXT NOT NULL,
    caller_name    TEXT NOT NULL,
    caller_version TEXT NOT NULL,
    limits         TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('active', 'idle', 'ended')),
    owner          TEXT REFERENCES programs (id),
    created_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_owner ON sessions (owner) WHERE owner IS NOT NULL;

-- Rows lie in the order in which they came, so that many sessions that write at once
-- share the last page; the index by session is narrow.
CREATE TABLE events (
    num         INTEGER PRIMARY KEY,
    session_num INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
    seq         INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    type        TEXT NOT NULL,
    ref         TEXT NOT NULL,
    payload     TEXT,
    UNIQUE (session_num, seq)
) STRICT;

-- seq is the number of the event that told of the message.
CREATE TABLE messages (
    num         INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    session_num INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
    seq         INTEGER NOT NULL,
    role        TEXT NOT NULL,
    text        TEXT NOT NULL,
    calls       TEXT,
    call_id     TEXT NOT NULL,
    status      TEXT NOT NULL,
    model       TEXT NOT NULL,
    trust       TEXT NOT NULL,
    at          INTEGER NOT NULL,
    UNIQUE (session_num, seq)
) STRICT;

-- ordinal is the number of the event that told of the proposal. authorized_key is
-- the idempotency key once it has been used up by an authorization.
CREATE TABLE invocations (
    num                      INTEGER PRIMARY KEY,
    id                       TEXT NOT NULL UNIQUE,
    session_num              INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
    ordinal                  INTEGER NOT NULL,
    call_id                  TEXT NOT NULL,
    turn                     TEXT NOT NULL,
    name                     TEXT NOT NULL,
    tool_id                  TEXT NOT NULL,
    tool_version             TEXT NOT NULL,
    tool_set                 TEXT NOT NULL,
    tool_source              TEXT NOT NULL,
    server_id                TEXT NOT NULL,
    state                    TEXT NOT NULL CHECK (state IN ('proposed', 'waiting_for_approval', 'authorized', 'running',
                                 'succeeded', 'failed', 'denied', 'unavailable', 'uncertain', 'cancelled')),
    suspended_kind           TEXT,
    suspended_ref            TEXT,
    attempt_number           INTEGER NOT NULL,
    caller_tag               TEXT NOT NULL,
    side_effect              TEXT NOT NULL,
    risk                     TEXT NOT NULL,
    idempotency_class        TEXT NOT NULL,
    origin_trust             TEXT NOT NULL CHECK (origin_trust <> ''),
    effective_arguments_hash TEXT NOT NULL,
    idempotency_key          TEXT NOT NULL,
    authorized_key           TEXT UNIQUE,
    policy_version           TEXT NOT NULL,
    decision                 TEXT,
    decided_by               TEXT NOT NULL,
    proposed_at              INTEGER NOT NULL,
    authorized_at            INTEGER,
    started_at               INTEGER,
    effect_sent_at           INTEGER,
    ended_at                 INTEGER,
    outcome_status           TEXT NOT NULL,
    reason_code              TEXT NOT NULL,
    output_trust             TEXT NOT NULL,
    output_bytes             INTEGER NOT NULL,
    truncated                INTEGER NOT NULL,
    duration_ms              INTEGER NOT NULL,
    parallel_group           TEXT NOT NULL,
    metadata                 TEXT NOT NULL,
    UNIQUE (session_num, ordinal)
) STRICT;
CREATE INDEX invocations_open ON invocations (session_num) WHERE ended_at IS NULL;

-- What was sent, and the canonical form of it. Nothing else holds arguments but the
-- card of an approval.
CREATE TABLE arguments (
    invocation_num INTEGER PRIMARY KEY REFERENCES invocations (num) ON DELETE CASCADE,
    raw            BLOB,
    canonical      BLOB
) STRICT;

CREATE TABLE results (
    invocation_num INTEGER PRIMARY KEY REFERENCES invocations (num) ON DELETE CASCADE,
    content        TEXT,
    structured     BLOB,
    metadata       TEXT NOT NULL,
    detail         TEXT NOT NULL
) STRICT;

CREATE TABLE approvals (
    num            INTEGER PRIMARY KEY,
    id             TEXT NOT NULL UNIQUE,
    session_num    INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
    invocation_id  TEXT NOT NULL REFERENCES invocations (id) ON DELETE CASCADE,
    tool_id        TEXT NOT NULL,
    risk           TEXT NOT NULL,
    arguments_hash TEXT NOT NULL,
    policy_version TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'denied', 'expired', 'cancelled')),
    created_at     INTEGER NOT NULL,
    expires_at     INTEGER NOT NULL,
    caller_left    INTEGER NOT NULL,
    left_why       TEXT NOT NULL,
    resolution     TEXT NOT NULL,
    words          TEXT NOT NULL,
    resolved_at    INTEGER,
    resolved_by    TEXT NOT NULL,
    reason         TEXT NOT NULL,
    voided         TEXT NOT NULL,
    consumed       INTEGER NOT NULL
) STRICT;
CREATE INDEX approvals_pending ON approvals (session_num) WHERE status = 'pending';
CREATE INDEX approvals_kept ON approvals (session_num, arguments_hash) WHERE consumed = 0;
CREATE INDEX approvals_invocation ON approvals (invocation_id);

-- What a person is shown: the arguments, and the rest of the request as JSON.
CREATE TABLE approval_cards (
    approval_num INTEGER PRIMARY KEY REFERENCES approvals (num) ON DELETE CASCADE,
    canonical    BLOB,
    card         TEXT NOT NULL
) STRICT;

CREATE TABLE grants (
    num            INTEGER PRIMARY KEY,
    id             TEXT NOT NULL UNIQUE,
    session_num    INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
    life           TEXT NOT NULL,
    kind           TEXT NOT NULL,
    tool_id        TEXT NOT NULL,
    side_effect    TEXT NOT NULL,
    value          TEXT NOT NULL,
    risk           TEXT NOT NULL,
    policy_version TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    approval_id    TEXT NOT NULL
) STRICT;
CREATE INDEX grants_session ON grants (session_num);

CREATE TABLE outputs (
    num           INTEGER PRIMARY KEY,
    session_num   INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
    invocation_id TEXT NOT NULL,
    path          TEXT NOT NULL UNIQUE,
    bytes         INTEGER NOT NULL,
    created_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX outputs_session ON outputs (session_num);

CREATE TABLE file_stamps (
    session_num INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
    path        TEXT NOT NULL,
    mtime_ns    INTEGER NOT NULL,
    size        INTEGER NOT NULL,
    sha256      TEXT NOT NULL,
    at          INTEGER NOT NULL,
    PRIMARY KEY (session_num, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE policy_versions (
    version    TEXT PRIMARY KEY,
    text       TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The answered questions whether a folder may be worked in.
CREATE TABLE trust (
    root TEXT PRIMARY KEY,
    yes  INTEGER NOT NULL,
    at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The words of messages and calls, in their redacted form. The index keeps no text,
-- only where each word stands; search_docs says what a row of it belongs to.
CREATE TABLE search_docs (
    num         INTEGER PRIMARY KEY,
    session_num INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
    kind        TEXT NOT NULL CHECK (kind IN ('message', 'call')),
    ref         TEXT NOT NULL
) STRICT;
CREATE INDEX search_docs_session ON search_docs (session_num);
CREATE VIRTUAL TABLE search USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
