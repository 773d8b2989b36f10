-- bounds: what is the least number of cycles that is proven, and how far is the run from it?
-- columns:
--   class: what may change: this-order (padding and waits alone), any-order (the order too), free-places (registers and addresses too)
--   kind: what proves it: path, unit, issue, transfer, combined or search (of every order)
--   unit: what has the work, when it is not a path
--   cycles: no change of this class makes the program shorter
--   total: cycles of the run
--   gap: the difference, to any-order
--   percent: its share of the total
-- example: takt report k.db bounds
SELECT b.class, b.kind, b.resource AS unit, b.cycles, m.value AS total,
       CASE WHEN b.class = 'any-order' THEN m.value - b.cycles END AS gap,
       CASE WHEN b.class = 'any-order' AND m.value > 0
            THEN round(100.0 * (m.value - b.cycles) / m.value, 1) END AS percent
FROM bound b JOIN meta m ON m.key = 'total_cycles'
ORDER BY b.rowid
LIMIT :top
