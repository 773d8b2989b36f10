-- roofline: for each precision, how far from the peak, and is memory or arithmetic in the way?
-- columns:
--   precision: of the operations
--   flops: operations
--   tflops: rate over the whole run
--   peak_tflops: what the chip allows; empty when the machine names none
--   percent: share of that peak
--   dram_bytes: bytes that passed DRAM, all groups together
--   intensity: operations of all precisions a byte
--   memory_tflops: rate that DRAM's ports at their peak would allow at this intensity
--   roof: which of the two is lower
-- example: takt report k.db roofline
WITH
    clock AS (SELECT value AS hz FROM meta WHERE key = 'clock_hz'),
    -- DRAM is what is named so; its channels are parts of it.
    dram AS (SELECT u.id, u.width * u.instances * 8.0 AS peak FROM unit u
             WHERE u.name GLOB 'dram*' AND u.kind NOT IN ('channel', 'node')),
    memory AS (SELECT coalesce(sum(bytes), 0) AS bytes FROM (
                   SELECT sum(n.many * c.bytes) AS bytes
                   FROM cost c JOIN dram d ON d.id = c.unit
                   JOIN (SELECT shape, sum(last_stmt - first_stmt + 1) AS many FROM cost_range
                         GROUP BY shape) n
                       ON n.shape = c.shape
                   GROUP BY c.unit)),
    memory_peak AS (SELECT sum(peak) AS per_cycle FROM dram),
    work AS (SELECT 1 AS place, 'double' AS precision, value AS flops FROM meta
             WHERE key = 'flops_double'
             UNION ALL SELECT 2, 'single', value FROM meta WHERE key = 'flops_single'
             UNION ALL SELECT 3, 'pseudo_single', value FROM meta WHERE key = 'flops_pseudo_single'
             UNION ALL SELECT 4, 'half', value FROM meta WHERE key = 'flops_half'),
    rates AS (SELECT w.*, 1e-12 * w.flops * k.hz / nullif(r.cycles, 0) AS tflops,
                     1e-12 * k.hz *
                         (SELECT value FROM meta WHERE key = 'peak_flops_' || w.precision) AS peak,
                     1.0 * (SELECT sum(flops) FROM work) / nullif(m.bytes, 0) AS intensity,
                     m.bytes AS bytes, 1e-12 * k.hz * p.per_cycle AS memory_rate
              FROM work w CROSS JOIN v_reached r CROSS JOIN clock k CROSS JOIN memory m
              CROSS JOIN memory_peak p)
SELECT precision, flops, round(tflops, 3) AS tflops, round(peak, 3) AS peak_tflops,
       round(100.0 * tflops / peak, 1) AS percent, bytes AS dram_bytes,
       round(intensity, 2) AS intensity, round(intensity * memory_rate, 3) AS memory_tflops,
       CASE WHEN flops = 0 OR peak IS NULL THEN NULL WHEN intensity IS NULL THEN 'arithmetic'
            WHEN intensity * memory_rate < peak THEN 'memory' ELSE 'arithmetic' END AS roof
FROM rates
ORDER BY place
LIMIT :top
