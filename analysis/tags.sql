-- tags: for which tags did the stream stand, and whose are they?
-- columns:
--   tag: the tag, as a number: 31 is i1f
--   transfers: transfers that carried it
--   long_words: their size
--   waited: cycles the stream stood at waits for it
--   nops: steps of nops sent meanwhile
--   line: line of the transfer that was waited for longest; of several files the file, too
--   mode: its mode
--   limited_by: the unit that paced it
-- example: takt report k.db tags
SELECT t.tag, count(*) AS transfers, sum(t.long_words) AS long_words, sum(t.waited) AS waited,
       coalesce((SELECT steps FROM nop_tag n WHERE n.tag = t.tag), 0) AS nops,
       (SELECT line FROM v_place WHERE stmt = l.stmt) AS line, l.mode, l.limited_by
FROM transfer t
JOIN (SELECT t.tag, t.stmt, v.mode, v.limited_by,
             row_number() OVER (PARTITION BY t.tag ORDER BY t.waited DESC, t.id) AS place
      FROM transfer t JOIN v_transfer v ON v.id = t.id) l ON l.tag = t.tag AND l.place = 1
WHERE t.tag > 0
GROUP BY t.tag
ORDER BY waited DESC, t.tag
LIMIT :top
