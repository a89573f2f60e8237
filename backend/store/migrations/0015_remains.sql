-- +goose Up

-- The sessions of programs that died, of which something may still run: nobody has looked for it
-- and ended it since.
CREATE TABLE remains (
    session_num INTEGER PRIMARY KEY REFERENCES sessions (num) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
