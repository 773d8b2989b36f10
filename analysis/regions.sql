-- regions: what does each region of the program cost?
-- columns:
--   region: its name; rest: the statements outside of all regions
--   statements: how many of the program lie in it
--   cycles: that the issuing unit spends on its statements; with several issuing units, the longest; with one, regions and rest add up to the total
--   share: of the cycles of the run, in percent
--   issuing: of these cycles, those in which this unit works
--   waiting: those in which it has work but is held back
--   why: reason of most of these
--   unit: busiest unit in the region, except issuing units
--   busy: cycles it works, of its cycles there (with one issuing unit, of cycles), in percent
--   bound: the fewest cycles of its statements in any order, as a program of their own
--   stalls: cycles that its statements and transfers were held back, summed
-- example: takt report k.db regions
WITH spent AS (SELECT t.region AS region, t.unit AS unit, u.name AS name, u.kind AS kind,
                      sum(t.cycles) AS cycles,
                      sum(CASE t.state WHEN 0 THEN t.cycles ELSE 0 END) AS issuing,
                      sum(CASE t.state WHEN 1 THEN t.cycles ELSE 0 END) AS waiting
               FROM unit_total t JOIN unit u ON u.id = t.unit GROUP BY t.region, t.unit),
     own AS (SELECT s.*, max(s.cycles * 4096 - s.unit) AS longest FROM spent s
             WHERE s.kind = 'issue' AND s.unit IN (SELECT unit FROM unit_total
                                                   WHERE state < 2 AND cycles > 0)
             GROUP BY s.region),
     most AS (SELECT t.region AS region, y.name AS name, max(t.cycles)
              FROM unit_total t JOIN own o ON o.unit = t.unit AND o.region = t.region
              JOIN reason y ON y.id = t.reason WHERE t.state = 1 GROUP BY t.region),
     busiest AS (SELECT s.*, max(s.issuing * 4096 - s.unit) AS longest FROM spent s
                 WHERE s.kind <> 'issue' AND s.issuing > 0 GROUP BY s.region)
SELECT r.name AS region, (SELECT count(*) FROM stmt s WHERE s.region = r.id) AS statements,
       o.cycles AS cycles,
       round(100.0 * o.cycles / (SELECT max(value, 1) FROM meta WHERE key = 'total_cycles'), 1)
           AS share,
       o.issuing AS issuing, o.waiting AS waiting, m.name AS why, b.name AS unit,
       round(100.0 * b.issuing / b.cycles, 1) AS busy, r.bound AS bound,
       (SELECT coalesce(sum(d.waited), 0) FROM dep d JOIN stmt s ON s.id = d.dst
        WHERE s.region = r.id) AS stalls
FROM region r JOIN own o ON o.region = r.id LEFT JOIN most m ON m.region = r.id
LEFT JOIN busiest b ON b.region = r.id
WHERE o.cycles > 0
ORDER BY r.id = 0, r.id
LIMIT :top
