-- texts: of statements; the page keeps those of its statements.
SELECT id, substr(text, 1, 160) AS text FROM text ORDER BY id
