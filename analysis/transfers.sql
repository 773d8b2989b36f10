-- transfers: when did each transfer run, what paced it, and who waited for it?
-- columns:
--   line: line of the statement
--   mode: kind of transfer, from and to
--   tag: its tag as a number, 31 is i1f; 0 when it carries none
--   priority: 0 to 3
--   long_words: size as the statement counts it
--   bytes: moved into the destination, all memories together
--   issued: cycle of issue
--   started: cycle of its first unit operation
--   finished: cycle in which its completion has arrived
--   cycles: from start to finish
--   bytes_per_cycle: bytes over these cycles
--   waited: cycles the stream stood at a wait for it
--   waited_by: line of that wait
--   limited_by: the unit that paced it
-- example: takt report k.db transfers --csv
SELECT line, mode, tag, priority, long_words, bytes, issued, started, finished,
       finished - started AS cycles,
       round(1.0 * bytes / nullif(finished - started, 0), 1) AS bytes_per_cycle,
       waited, waited_by_line AS waited_by, limited_by
FROM v_transfer
ORDER BY issued, id
LIMIT :top
