-- nops: how many issued steps did nothing, by cause?
-- columns:
--   cause: written in the program, inserted by packing, waiting for a tag, or an empty buffer
--   tag: the tag waited for, as a number: 31 is i1f
--   steps: steps
--   percent: share of all issued steps
-- example: takt report k.db nops
SELECT n.cause, n.tag, n.steps,
       round(100.0 * n.steps /
             nullif((SELECT value FROM meta WHERE key = 'steps'), 0), 1) AS percent
FROM (SELECT 1 AS place, 'written' AS cause, NULL AS tag, value AS steps
      FROM meta WHERE key = 'nops_written'
      UNION ALL SELECT 2, 'packing', NULL, value FROM meta WHERE key = 'nops_packing'
      UNION ALL SELECT 3, 'wait', NULL, value FROM meta WHERE key = 'nops_wait'
      UNION ALL SELECT 4, 'wait', tag, steps FROM nop_tag
      UNION ALL SELECT 5, 'empty', NULL, value FROM meta WHERE key = 'nops_empty') n
ORDER BY n.place, n.tag
LIMIT :top
