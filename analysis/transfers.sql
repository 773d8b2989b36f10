-- transfers: when did each transfer run, what paced it, and who waited for it?
-- columns:
--   line: line of the statement; of several files the file, too
--   mode: kind of transfer, from and to
--   tag: its tag as the program writes it; NULL when it carries none
--   bytes: moved into the destination, all memories together
--   issued: cycle of issue
--   started: cycle of its first unit operation
--   finished: cycle in which its completion has arrived
--   cycles: from start to finish
--   bytes_per_cycle: bytes over these cycles
--   waited: cycles the stream stood at a wait for it
--   waited_by: line of that wait
--   limited_by: the unit that paced it
-- attributes: then what else this machine's transfers have (table attribute), a column each
-- example: takt report k.db transfers --csv
SELECT (SELECT line FROM v_place WHERE stmt = t.stmt) AS line, v.mode, v.tag_name AS tag,
       t.bytes, t.issued, t.started, t.finished, t.finished - t.started AS cycles,
       round(1.0 * t.bytes / nullif(t.finished - t.started, 0), 1) AS bytes_per_cycle,
       t.waited, (SELECT line FROM v_place WHERE stmt = t.waited_by) AS waited_by, v.limited_by
       /*attributes*/
FROM transfer t JOIN v_transfer v ON v.id = t.id
ORDER BY t.issued, t.id
LIMIT :top
