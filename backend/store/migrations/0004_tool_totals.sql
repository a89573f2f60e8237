-- +goose Up

-- How often each tool was called and how it last failed: kept up by the rows themselves,
-- so that reading it costs as much as there are tools, however many calls there were.
CREATE TABLE tool_totals (
    tool_id   TEXT PRIMARY KEY,
    calls     INTEGER NOT NULL,
    failed_at INTEGER,
    failed_by TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

INSERT INTO tool_totals (tool_id, calls)
    SELECT tool_id, COUNT(*) FROM invocations WHERE tool_id <> '' GROUP BY tool_id;
UPDATE tool_totals SET (failed_at, failed_by) = (
    SELECT i.ended_at, i.reason_code FROM invocations i
    WHERE i.tool_id = tool_totals.tool_id AND i.state IN ('failed', 'unavailable', 'uncertain') AND i.ended_at IS NOT NULL
    ORDER BY i.ended_at DESC, i.num DESC LIMIT 1)
WHERE EXISTS (
    SELECT 1 FROM invocations i
    WHERE i.tool_id = tool_totals.tool_id AND i.state IN ('failed', 'unavailable', 'uncertain') AND i.ended_at IS NOT NULL);

-- A call is stored before its tool is known.
-- +goose StatementBegin
CREATE TRIGGER invocations_named AFTER UPDATE OF tool_id ON invocations WHEN NEW.tool_id <> OLD.tool_id
BEGIN
    UPDATE tool_totals SET calls = calls - 1 WHERE tool_id = OLD.tool_id;
    INSERT INTO tool_totals (tool_id, calls) SELECT NEW.tool_id, 1 WHERE NEW.tool_id <> ''
        ON CONFLICT (tool_id) DO UPDATE SET calls = calls + 1;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER invocations_added AFTER INSERT ON invocations WHEN NEW.tool_id <> ''
BEGIN
    INSERT INTO tool_totals (tool_id, calls) VALUES (NEW.tool_id, 1)
        ON CONFLICT (tool_id) DO UPDATE SET calls = calls + 1;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER invocations_failed AFTER UPDATE OF state ON invocations
    WHEN NEW.state IN ('failed', 'unavailable', 'uncertain') AND NEW.state <> OLD.state AND NEW.tool_id <> ''
BEGIN
    INSERT INTO tool_totals (tool_id, calls, failed_at, failed_by) VALUES (NEW.tool_id, 0, NEW.ended_at, NEW.reason_code)
        ON CONFLICT (tool_id) DO UPDATE SET failed_at = excluded.failed_at, failed_by = excluded.failed_by;
END;
-- +goose StatementEnd
-- What is forgotten of a session is forgotten here, too.
-- +goose StatementBegin
CREATE TRIGGER invocations_forgotten AFTER DELETE ON invocations WHEN OLD.tool_id <> ''
BEGIN
    UPDATE tool_totals SET calls = calls - 1 WHERE tool_id = OLD.tool_id;
    DELETE FROM tool_totals WHERE tool_id = OLD.tool_id AND calls <= 0;
END;
-- +goose StatementEnd
