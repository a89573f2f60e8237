-- +goose Up

-- What a person answered to the latest question about a call. Where the call had ended
-- before, since its caller had left, this is all that tells of the answer.
ALTER TABLE invocations ADD COLUMN answer TEXT NOT NULL DEFAULT '';
UPDATE invocations SET answer = COALESCE((
    SELECT CASE WHEN a.resolved_by = 'person' AND a.resolution <> '' THEN a.status ELSE '' END
    FROM approvals a WHERE a.invocation_id = invocations.id ORDER BY a.num DESC LIMIT 1), '')
WHERE id IN (SELECT invocation_id FROM approvals WHERE resolved_by = 'person');

-- Rules that asked have not decided.
UPDATE invocations SET decided_by = ''
WHERE decided_by = 'policy' AND authorized_at IS NULL AND decision ->> '$.verdict' IN ('ask', 'review');

DROP INDEX invocations_ending;
ALTER TABLE invocations DROP COLUMN ending;
ALTER TABLE invocations DROP COLUMN decider;
ALTER TABLE invocations ADD COLUMN ending TEXT NOT NULL GENERATED ALWAYS AS (
    CASE
        WHEN state IN ('proposed', 'waiting_for_approval') THEN 'waiting'
        WHEN state IN ('authorized', 'running') THEN 'running'
        WHEN state = 'unavailable' THEN 'failed'
        WHEN state = 'denied' AND reason_code = 'approval.expired' THEN 'expired'
        WHEN state = 'cancelled' AND authorized_at IS NULL AND answer = 'denied' THEN 'denied'
        ELSE state
    END) VIRTUAL;
ALTER TABLE invocations ADD COLUMN decider TEXT NOT NULL GENERATED ALWAYS AS (
    CASE
        WHEN decided_by IN ('person', 'reviewer') THEN decided_by
        WHEN substr(decided_by, 1, 6) = 'grant:' THEN 'grant'
        WHEN authorized_at IS NOT NULL THEN 'rules'
        WHEN state = 'denied' AND reason_code = 'approval.user_rejected' THEN 'person'
        WHEN state = 'denied' AND substr(reason_code, 1, 9) <> 'approval.' THEN 'rules'
        WHEN state = 'cancelled' AND answer <> '' THEN 'person'
        ELSE 'nobody'
    END) VIRTUAL;
CREATE INDEX invocations_ending ON invocations (ending, proposed_at);
