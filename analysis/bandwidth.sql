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
--   peak_of: whose limit the peak is: a whole memory, one channel of it, a link, or a port
--   mode_gbytes_per_s: what one transfer alone can bring through it by the rate of its mode, if it has one
--   mode: of the transfers that passed it the one with the highest such rate
-- example: takt report k.db bandwidth
WITH
    moved AS (SELECT unit, sum(bytes) AS bytes FROM unit_cost GROUP BY unit),
    port AS (SELECT v.unit_id, v.unit, v.kind, v.busy, v.utilization, v.total,
                    8.0 * u.width * u.instances AS peak,
                    nullif(m.bytes, 0) AS bytes
             FROM v_util v JOIN unit u ON u.id = v.unit_id LEFT JOIN moved m ON m.unit = u.id
             WHERE u.width > 0 AND v.busy > 0),
    alone AS (SELECT c.unit AS unit, max(1.0 * c.bytes / nullif(a.value, 0)) AS rate, t.mode AS mode
              FROM attribute n JOIN transfer_attribute a ON a.attribute = n.id
              JOIN transfer t ON t.id = a.transfer JOIN stmt_total c ON c.stmt = t.stmt
              WHERE n.name = 'cycles_alone' AND c.bytes > 0 GROUP BY c.unit)
SELECT p.unit, p.kind, p.busy AS held, round(100.0 * p.utilization, 1) AS percent_held, p.bytes,
       round(1e-9 * p.bytes * k.value / p.total, 2) AS gbytes_per_s,
       round(1e-9 * p.peak * k.value, 1) AS peak_gbytes_per_s,
       round(100.0 * p.bytes / (p.peak * p.total), 1) AS percent,
       CASE p.kind WHEN 'dram' THEN 'memory' WHEN 'channel' THEN 'channel' WHEN 'link' THEN 'link'
                   ELSE 'port' END AS peak_of,
       round(1e-9 * a.rate * k.value, 1) AS mode_gbytes_per_s, g.text AS mode
FROM port p JOIN meta k ON k.key = 'clock_hz' LEFT JOIN alone a ON a.unit = p.unit_id
LEFT JOIN string g ON g.id = a.mode
ORDER BY p.utilization DESC, p.unit_id
LIMIT :top
