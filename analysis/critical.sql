-- critical: the critical path: what would have to be shorter for an earlier end?
-- columns:
--   start: first cycle of the run
--   duration: cycles; all runs together are the total
--   unit: what holds it
--   reason: busy or a reason of the machine for what it does itself, else what held it
--   first_line: line of the first statement of the run; of two transfers that took turns, of one
--   last_line: line of the last; of two transfers that took turns, of the other
--   text: text of the first
-- example: takt report k.db critical
SELECT c.start, c.duration, u.name AS unit, y.name AS reason,
       (SELECT line FROM v_place WHERE stmt = c.first_stmt) AS first_line,
       (SELECT line FROM v_place WHERE stmt = c.last_stmt) AS last_line, a.text AS text
FROM crit c LEFT JOIN unit u ON u.id = c.unit JOIN reason y ON y.id = c.reason
LEFT JOIN stmt a ON a.id = c.first_stmt
ORDER BY c.start
LIMIT :top
