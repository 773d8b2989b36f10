-- roofline: for each kind of operation, how far from the peak, and is memory or arithmetic in the way?
-- columns:
--   precision: of the operations; a row vector_P has those of a vector mode, the row P then the others
--   flops: operations
--   tflops: rate over the whole run
--   peak_tflops: what the chip allows in this precision and mode; empty when the machine names none
--   percent: share of that peak
--   memory_bytes: bytes that passed the memory outside of the chip, all of its units together
--   intensity: operations of all precisions a byte
--   memory_tflops: rate that this memory, all of its units together, would allow at this intensity
--   roof: which of the two is lower
-- example: takt report k.db roofline
WITH
    clock AS (SELECT value AS hz FROM meta WHERE key = 'clock_hz'),
    dram AS (SELECT id, width * instances * 8.0 AS peak FROM unit WHERE kind = 'dram'),
    memory AS (SELECT coalesce(sum(bytes), 0) AS bytes FROM unit_cost
               WHERE unit IN (SELECT id FROM dram)),
    memory_peak AS (SELECT sum(peak) AS per_cycle FROM dram),
    counted AS (SELECT rowid AS place, name, substr(name, instr(name, '.') + 1) AS precision,
                       value, nullif(peak, 0) AS peak
                FROM counter WHERE unit = 'operations' AND idx IS NULL),
    work AS (SELECT c.place, c.precision, c.value - coalesce(v.value, 0) AS flops, c.peak
             FROM counted c LEFT JOIN counted v ON v.precision = 'vector_' || c.precision),
    rates AS (SELECT w.place, w.precision, w.flops,
                     1e-12 * w.flops * k.hz / nullif(r.cycles, 0) AS tflops,
                     1e-12 * k.hz * w.peak AS peak,
                     1.0 * (SELECT sum(flops) FROM work) / nullif(m.bytes, 0) AS intensity,
                     m.bytes AS bytes, 1e-12 * k.hz * p.per_cycle AS memory_rate
              FROM work w CROSS JOIN v_reached r CROSS JOIN clock k CROSS JOIN memory m
              CROSS JOIN memory_peak p)
SELECT precision, flops, round(tflops, 3) AS tflops, round(peak, 3) AS peak_tflops,
       round(100.0 * tflops / peak, 1) AS percent, bytes AS memory_bytes,
       round(intensity, 2) AS intensity, round(intensity * memory_rate, 3) AS memory_tflops,
       CASE WHEN flops = 0 OR peak IS NULL THEN NULL WHEN intensity IS NULL THEN 'arithmetic'
            WHEN intensity * memory_rate < peak THEN 'memory' ELSE 'arithmetic' END AS roof
FROM rates
ORDER BY place
LIMIT :top
