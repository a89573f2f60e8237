-- +goose Up

-- The answer that was given to several requests at once, '' for an answer to one alone.
ALTER TABLE approvals ADD COLUMN batch_id TEXT NOT NULL DEFAULT '';
