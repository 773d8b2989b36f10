-- tags: for which tags did the stream stand, and whose are they?
-- columns:
--   tag: the tag as the program writes it
--   transfers: transfers that carried it
--   bytes: what they moved
--   waited: cycles the stream stood at waits for it
--   line: line of the transfer that was waited for longest; of several files the file, too
--   mode: its mode
--   limited_by: the unit that paced it
-- example: takt report k.db tags
SELECT l.tag_name AS tag, count(*) AS transfers, sum(t.bytes) AS bytes, sum(t.waited) AS waited,
       (SELECT line FROM v_place WHERE stmt = l.stmt) AS line, l.mode, l.limited_by
FROM transfer t
JOIN (SELECT t.tag, t.stmt, v.tag_name, v.mode, v.limited_by,
             row_number() OVER (PARTITION BY t.tag ORDER BY t.waited DESC, t.id) AS place
      FROM transfer t JOIN v_transfer v ON v.id = t.id WHERE t.tag > 0) l
    ON l.tag = t.tag AND l.place = 1
GROUP BY t.tag
ORDER BY waited DESC, t.tag
LIMIT :top
