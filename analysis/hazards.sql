-- hazards: which rules of the manual held a statement until an earlier one had released a value or a port?
-- columns:
--   waited: cycles lost
--   times: how often
--   kind: data or port
--   rule: section of the manual
--   unit: what the two statements share
--   first_line: line of the earlier statement; of several files the file, too
--   first: its text
--   then_line: line of the statement that was held
--   then_text: its text
-- example: takt report k.db hazards
SELECT waited, times, kind, rule, unit,
       (SELECT line FROM v_place WHERE stmt = src) AS first_line, src_text AS first,
       (SELECT line FROM v_place WHERE stmt = dst) AS then_line, dst_text AS then_text
FROM v_dep d
WHERE kind IN ('data', 'port') AND waited > 0 AND src IS NOT NULL
      -- Other waits have no rule, or the name of a parameter.
      AND rule IS NOT NULL AND rule NOT IN (SELECT name FROM param)
      -- A transfer that has been issued is held by no hazard, nor does it make one.
      AND NOT EXISTS (SELECT 1 FROM transfer t WHERE t.stmt = d.dst AND t.issued < d.first_at)
ORDER BY waited DESC, id
LIMIT :top
