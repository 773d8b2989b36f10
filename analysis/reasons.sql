-- reasons: for each unit, where do its cycles go?
-- columns:
--   unit: name of the unit or port
--   reason: busy, or why it is not
--   cycles: cycles in that state; for each unit they add up to the total
--   events: how often it entered the state
--   percent: share of all cycles of the unit
-- example: takt report k.db reasons
SELECT u.name AS unit, y.name AS reason, sum(t.cycles) AS cycles, sum(t.events) AS events,
       round(100.0 * sum(t.cycles) / nullif(sum(sum(t.cycles)) OVER (PARTITION BY t.unit), 0), 1) AS percent
FROM unit_total t JOIN unit u ON u.id = t.unit JOIN reason y ON y.id = t.reason
GROUP BY t.unit, t.reason
ORDER BY t.unit, t.state, t.reason
LIMIT :top
