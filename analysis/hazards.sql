-- hazards: which hazards did --interlock turn into stalls?
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
FROM v_dep
WHERE kind IN ('data', 'port') AND rule GLOB '3.6.*' AND waited > 0 AND src IS NOT NULL
ORDER BY waited DESC, id
LIMIT :top
