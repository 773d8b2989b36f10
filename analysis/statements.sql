-- statements: which statements cost most?
-- columns:
--   line: line in its file
--   text: the statement
--   stream: cycles of the issuing stream spent on it, waits included
--   busy: cycles of other units that work for it
--   waiting: cycles in which it held a unit without work
--   execs: executions
--   ops: arithmetic operations
--   bytes: bytes that passed ports, memories and links, at each of them
--   slack: cycles it could issue later without a later end
-- example: takt report k.db statements --top 10
SELECT t.line, t.text, t.stream, t.busy, t.waiting, t.execs, t.ops, t.bytes, s.slack
FROM v_top_stmt t LEFT JOIN stmt_slack s ON s.stmt = t.stmt
ORDER BY t.stream DESC, t.busy DESC, t.stmt
LIMIT :top
