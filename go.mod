module countersign

go 1.26

ignore ./frontend/node_modules

require github.com/mattn/go-sqlite3 v1.14.53 // indirect
