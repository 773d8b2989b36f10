-- statements: all of them; the page keeps those that something else on it names.
SELECT id, file, line, text FROM stmt_row ORDER BY id
