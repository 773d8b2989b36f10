-- assumed: how much of the result rests on what, and with how many parameters?
-- columns:
--   provenance: documented, public, measured, inferred or assumed
--   parameters: parameters of this provenance
--   percent_of_parameters: their share
--   cycles: assumed: cycles that go away under --documented; documented: those that stay, all where --documented takes more
--   percent_of_cycles: share of the total
--   most: of these parameters the one that moves the total most over its plausible range; NULL: none does
--   most_cycles: cycles by which it does
--   moving: parameters of this provenance that move the total; NULL where that was not worked out
-- example: takt report k.db assumed
SELECT g.provenance, count(p.name) AS parameters,
       round(100.0 * count(p.name) / (SELECT count(*) FROM param), 1) AS percent_of_parameters,
       min(m.value, r.total) AS cycles,
       round(100.0 * min(m.value, r.total) / nullif(r.total, 0), 1) AS percent_of_cycles,
       (SELECT q.name FROM param q WHERE q.provenance = g.provenance AND q.greatest > q.least
        ORDER BY q.greatest - q.least DESC, q.name LIMIT 1) AS most,
       max(nullif(p.greatest - p.least, 0)) AS most_cycles,
       sum(p.greatest > p.least) AS moving
FROM (SELECT provenance FROM param
      UNION SELECT 'documented' FROM meta WHERE key = 'cycles_documented' AND value > 0) g
CROSS JOIN v_reached r
LEFT JOIN param p ON p.provenance = g.provenance
LEFT JOIN meta m ON m.key = 'cycles_' || g.provenance
    AND (SELECT value FROM meta WHERE key = 'cycles_documented') > 0
GROUP BY g.provenance
ORDER BY CASE g.provenance WHEN 'documented' THEN 1 WHEN 'public' THEN 2
                           WHEN 'measured' THEN 3 WHEN 'inferred' THEN 4 ELSE 5 END
LIMIT :top
