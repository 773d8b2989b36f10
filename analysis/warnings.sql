-- warnings: what did takt warn about?
-- columns:
--   name: name that silences it
--   file: file
--   line: line
--   sentence: the warning
-- example: takt report k.db warnings
SELECT name, file, line, sentence FROM v_warning
ORDER BY file, line, name
LIMIT :top
