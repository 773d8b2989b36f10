-- counters: what did the run count?
-- columns:
--   counter: name of the counter
--   counted_by: what its single counts are counted by; empty when there is one count
--   idx: which of those, as a number; empty: all together
--   value: the count
--   unit: what is counted
--   percent: share of the greatest counter of this unit
--   meaning: what it counts
-- example: takt report k.db counters
SELECT c.name AS counter, c.idx_name AS counted_by, c.idx, c.value, c.unit,
       round(100.0 * c.value /
             nullif((SELECT max(value) FROM counter o WHERE o.unit = c.unit), 0), 1) AS percent,
       c.sentence AS meaning
FROM counter c
ORDER BY (SELECT min(rowid) FROM counter o WHERE o.name = c.name), c.idx IS NOT NULL, c.idx
LIMIT :top
