-- check: does the trace contradict itself? (no row: no)
-- columns:
--   rule: what is violated
--   subject: where
--   expected: what a sound trace holds
--   found: what this one holds
-- example: takt report k.db check
SELECT rule, subject, expected, found FROM v_check LIMIT :top
