-- bandwidth: how near do memories, ports and links come to their peak?
-- columns:
--   unit: memory, port or link that has a width
--   kind: what it is
--   held: cycles in which it was in use
--   percent_held: their share of all cycles; 100 is the most that the unit can give
--   bytes: bytes that passed it, as far as the model counts them
--   gbytes_per_s: over the time of the run
--   peak_gbytes_per_s: what its width allows, all instances together
--   percent: share of the peak
-- example: takt report k.db bandwidth
WITH
    moved AS (SELECT unit, sum(bytes) AS bytes FROM unit_cost GROUP BY unit),
    port AS (SELECT v.unit_id, v.unit, v.kind, v.busy, v.utilization, v.total,
                    8.0 * u.width * u.instances AS peak,
                    nullif(m.bytes, 0) AS bytes
             FROM v_util v JOIN unit u ON u.id = v.unit_id LEFT JOIN moved m ON m.unit = u.id
             WHERE u.width > 0 AND v.busy > 0)
SELECT p.unit, p.kind, p.busy AS held, round(100.0 * p.utilization, 1) AS percent_held, p.bytes,
       round(1e-9 * p.bytes * k.value / p.total, 2) AS gbytes_per_s,
       round(1e-9 * p.peak * k.value, 1) AS peak_gbytes_per_s,
       round(100.0 * p.bytes / (p.peak * p.total), 1) AS percent
FROM port p JOIN meta k ON k.key = 'clock_hz'
ORDER BY p.utilization DESC, p.unit_id
LIMIT :top
