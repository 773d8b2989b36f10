-- stalls: what held the program back, by reason and culprit?
-- columns:
--   waited: cycles lost, all executions together
--   times: how often
--   holds: the stream, or a transfer that could not start or go on
--   kind: a name of the table dep_kind
--   unit: what the two share
--   rule: section of the manual or parameter that made it bind
--   waiting_line: line of the statement that was held; of several files the file, too
--   waiting: its text
--   culprit_line: line of the statement it waited for; empty for a fixed latency
--   culprit: its text
-- example: takt report k.db stalls
SELECT waited, times,
       -- The stream is held until a transfer is issued, the transfer after that.
       CASE WHEN EXISTS (SELECT 1 FROM transfer t WHERE t.stmt = d.dst AND t.issued < d.first_at)
            THEN 'transfer' ELSE 'stream' END AS holds,
       kind, unit, rule,
       (SELECT line FROM v_place WHERE stmt = dst) AS waiting_line, dst_text AS waiting,
       (SELECT line FROM v_place WHERE stmt = src) AS culprit_line, src_text AS culprit
FROM v_dep d
WHERE waited > 0
ORDER BY holds, waited DESC, id
LIMIT :top
