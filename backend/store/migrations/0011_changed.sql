-- +goose Up

-- A card may show other arguments than the caller sent: then canonical_asked holds those that
-- were sent. asked_hash is always that of what was sent: a call that is made again is found by
-- it.
ALTER TABLE approvals ADD COLUMN asked_hash TEXT NOT NULL DEFAULT '';
UPDATE approvals SET asked_hash = arguments_hash;
DROP INDEX approvals_kept;
CREATE INDEX approvals_kept ON approvals (session_num, asked_hash) WHERE consumed = 0;
ALTER TABLE approval_cards ADD COLUMN canonical_asked BLOB;

-- Who changed the arguments of a call since its caller sent them, '' for nobody, and the hash
-- of those that were sent, '' where that is effective_arguments_hash.
ALTER TABLE invocations ADD COLUMN changed_by TEXT NOT NULL DEFAULT '';
ALTER TABLE invocations ADD COLUMN asked_arguments_hash TEXT NOT NULL DEFAULT '';
