-- statements: which statements cost most?
-- columns:
--   line: its line; of several files the file, too
--   text: the statement
--   stream: cycles of the issuing stream spent on it, waits included
--   busy: cycles of other units that work for it
--   waiting: cycles in which it held a unit without work
--   execs: executions
--   ops: arithmetic operations
--   bytes_passed: bytes that passed ports, memories and links, at each of them
--   slack: cycles it could issue later without a later end
--   slack_exact: 1: and not a cycle more; 0: at least so many
-- example: takt report k.db statements --top 10
WITH most AS ( -- texts are cut out of those that are shown
              SELECT * FROM stmt_cost ORDER BY cycles DESC, busy DESC, stmt LIMIT :top)
SELECT (SELECT line FROM v_place WHERE stmt = t.stmt) AS line, v.text, t.cycles AS stream,
       t.busy, t.waiting, t.execs, t.ops, t.bytes_passed,
       (SELECT CASE WHEN r.last_stmt >= t.stmt THEN r.slack END FROM slack_range r
        WHERE r.first_stmt <= t.stmt ORDER BY r.first_stmt DESC LIMIT 1) AS slack,
       (SELECT CASE WHEN r.last_stmt >= t.stmt THEN r.exact END FROM slack_range r
        WHERE r.first_stmt <= t.stmt ORDER BY r.first_stmt DESC LIMIT 1) AS slack_exact
FROM most t JOIN v_stmt v ON v.stmt = t.stmt
ORDER BY t.cycles DESC, t.busy DESC, t.stmt
