-- windows: how busy was each unit over time?
-- columns:
--   start: first cycle of the window
--   finish: cycle after it
--   unit: name of the unit
--   busy: cycles in which it worked
--   percent: busy share of the window
-- example: takt report k.db windows --csv
SELECT p.idx * w.value AS start, min((p.idx + 1) * w.value, r.cycles) AS finish, u.name AS unit,
       p.busy, round(100.0 * p.busy /
                     nullif(min((p.idx + 1) * w.value, r.cycles) - p.idx * w.value, 0), 1) AS percent
FROM util_window p JOIN unit u ON u.id = p.unit JOIN meta w ON w.key = 'window' CROSS JOIN v_reached r
ORDER BY p.idx, p.unit
LIMIT :top
