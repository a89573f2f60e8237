-- +goose Up

-- The history of all sessions is read by time, and by tool or ending and time. What a
-- person calls these is computed from what the steps of a call wrote, so that no write has
-- to know of it. A call is stored with its tool only once it is authorized; until then, and
-- for ever if the tool is not known here, it goes by the name that was asked for.
ALTER TABLE invocations ADD COLUMN tool TEXT NOT NULL GENERATED ALWAYS AS (
    CASE WHEN tool_id <> '' THEN tool_id ELSE substr(name, 1, 96) END) VIRTUAL;
ALTER TABLE invocations ADD COLUMN ending TEXT NOT NULL GENERATED ALWAYS AS (
    CASE
        WHEN state IN ('proposed', 'waiting_for_approval') THEN 'waiting'
        WHEN state IN ('authorized', 'running') THEN 'running'
        WHEN state = 'unavailable' THEN 'failed'
        WHEN state = 'denied' AND reason_code = 'approval.expired' THEN 'expired'
        ELSE state
    END) VIRTUAL;
-- The rules are written as the decider as soon as they were asked, even if they then asked
-- a person who never answered.
ALTER TABLE invocations ADD COLUMN decider TEXT NOT NULL GENERATED ALWAYS AS (
    CASE
        WHEN decided_by IN ('person', 'reviewer') THEN decided_by
        WHEN substr(decided_by, 1, 6) = 'grant:' THEN 'grant'
        WHEN authorized_at IS NOT NULL THEN 'rules'
        WHEN state = 'denied' AND substr(reason_code, 1, 9) <> 'approval.' THEN 'rules'
        ELSE 'nobody'
    END) VIRTUAL;
CREATE INDEX invocations_time ON invocations (proposed_at);
CREATE INDEX invocations_tool ON invocations (tool, proposed_at);
CREATE INDEX invocations_ending ON invocations (ending, proposed_at);

CREATE INDEX sessions_workspace ON sessions (workspace);
CREATE INDEX sessions_caller ON sessions (caller_kind, caller_name);
