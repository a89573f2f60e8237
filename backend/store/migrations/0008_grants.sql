-- +goose Up

-- A grant for a session goes with its session; one for a workspace has no session and stays.
-- given_in is where either was given. value is what it matches: a path, a host, or the words of
-- commands.
CREATE TABLE grants_next (
    num            INTEGER PRIMARY KEY,
    id             TEXT NOT NULL UNIQUE,
    session_num    INTEGER REFERENCES sessions (num) ON DELETE CASCADE,
    life           TEXT NOT NULL CHECK (life IN ('session', 'workspace')),
    workspace      TEXT NOT NULL,
    kind           TEXT NOT NULL,
    tool_id        TEXT NOT NULL,
    tool_source    TEXT NOT NULL,
    tool_set       TEXT NOT NULL,
    set_origin     TEXT NOT NULL,
    fingerprint    TEXT NOT NULL,
    side_effect    TEXT NOT NULL,
    value          TEXT NOT NULL,
    risk           TEXT NOT NULL,
    policy_version TEXT NOT NULL,
    packaged       TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    given_in       TEXT NOT NULL,
    approval_id    TEXT NOT NULL,
    given_by       TEXT NOT NULL,
    expires_at     INTEGER,
    last_used_at   INTEGER,
    uses           INTEGER NOT NULL DEFAULT 0,
    ended_at       INTEGER,
    ended_by       TEXT NOT NULL DEFAULT '',
    CHECK ((life = 'session') = (session_num IS NOT NULL)),
    CHECK ((ended_at IS NULL) = (ended_by = ''))
) STRICT;
INSERT INTO grants_next (num, id, session_num, life, workspace, kind, tool_id, tool_source, tool_set, set_origin, fingerprint,
    side_effect, value, risk, policy_version, packaged, created_at, given_in, approval_id, given_by)
SELECT g.num, g.id, g.session_num, g.life, s.workspace, g.kind, g.tool_id, 'builtin', '', '', '',
    g.side_effect, g.value, g.risk, g.policy_version, '', g.created_at, s.id, g.approval_id, 'person'
FROM grants g JOIN sessions s ON s.num = g.session_num;
DROP TABLE grants;
ALTER TABLE grants_next RENAME TO grants;
CREATE INDEX grants_session ON grants (session_num) WHERE session_num IS NOT NULL;
CREATE INDEX grants_workspace ON grants (workspace) WHERE life = 'workspace' AND ended_at IS NULL;

-- What a card offered before cannot be chosen from any more.
UPDATE approval_cards SET card = json_set(card, '$.no_grant', 'Once only: the card was made before the program was brought up to date.')
WHERE json_extract(card, '$.offer') IS NOT NULL AND approval_num IN (SELECT num FROM approvals WHERE status = 'pending');
