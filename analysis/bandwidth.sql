-- bandwidth: how near do memories, ports and links come to their peak?
-- columns:
--   unit: memory, port or link
--   kind: what it is
--   bytes: bytes that passed it
--   bytes_per_cycle: over the whole run
--   peak_per_cycle: what its width allows, all instances together
--   percent: share of the peak
--   gbytes_per_s: bytes over the time of the run
-- example: takt report k.db bandwidth
SELECT u.name AS unit, u.kind, sum(n.many * c.bytes) AS bytes,
       round(1.0 * sum(n.many * c.bytes) / nullif(r.cycles, 0), 2) AS bytes_per_cycle,
       8.0 * u.width * u.instances AS peak_per_cycle,
       round(100.0 * sum(n.many * c.bytes) /
             nullif(8.0 * u.width * u.instances * r.cycles, 0), 1) AS percent,
       round(1e-9 * sum(n.many * c.bytes) * k.value / nullif(r.cycles, 0), 2) AS gbytes_per_s
FROM cost c JOIN unit u ON u.id = c.unit
JOIN (SELECT shape, count(*) AS many FROM stmt_cost GROUP BY shape) n ON n.shape = c.shape
CROSS JOIN v_reached r JOIN meta k ON k.key = 'clock_hz'
GROUP BY u.id
HAVING sum(n.many * c.bytes) > 0
ORDER BY percent DESC, bytes DESC, u.id
LIMIT :top
