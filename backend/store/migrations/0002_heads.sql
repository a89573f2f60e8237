-- +goose Up

-- What a list tells of a call or a request, so that no list reads arguments, which can
-- be large. Both are written with what they are the beginning of and never change alone.
CREATE TABLE argument_heads (
    invocation_num INTEGER PRIMARY KEY REFERENCES invocations (num) ON DELETE CASCADE,
    heads          TEXT NOT NULL
) STRICT;

CREATE TABLE approval_heads (
    approval_num INTEGER PRIMARY KEY REFERENCES approvals (num) ON DELETE CASCADE,
    head         TEXT NOT NULL
) STRICT;

INSERT INTO argument_heads (invocation_num, heads)
SELECT a.invocation_num, (
    SELECT json_group_object(j.key, json_object('text', substr(j.value, 1, 100), 'left', max(0, length(j.value) - 100)))
    FROM json_each(a.text) j WHERE j.type = 'text' AND length(j.key) <= 64)
FROM (SELECT invocation_num, CAST(COALESCE(canonical, raw) AS TEXT) AS text FROM arguments) a
WHERE json_valid(a.text) AND json_type(a.text) = 'object';
