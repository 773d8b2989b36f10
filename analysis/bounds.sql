-- bounds: what is the least number of cycles that is proven, and how far is the run from it?
-- columns:
--   bound: name of the bound
--   unit: the resource, when it is one
--   cycles: no schedule of these statements is shorter
--   total: cycles of the run
--   gap: the difference
--   percent: its share of the total
--   proof: what proves the bound
-- example: takt report k.db bounds
SELECT bound, unit, cycles, total, gap, round(100.0 * share, 1) AS percent, proof
FROM v_gap
ORDER BY cycles DESC, bound
LIMIT :top
