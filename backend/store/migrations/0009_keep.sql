-- +goose Up

-- What an answer kept of the changes that the card showed, as JSON: for each diff the runs of
-- lines to be made. '' is all of them.
ALTER TABLE approvals ADD COLUMN keep TEXT NOT NULL DEFAULT '';
