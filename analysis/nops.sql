-- nops: which rule requires each written nop, between which lines, and how many of its steps are spare? (a program, or a trace that holds it)
-- columns:
--   line: of the nop, or of the first one of a row of nops; of several files the file, too
--   steps: that they pass together
--   spare: those that no rule requires, all other nops staying as they are
--   rule: section of the manual that requires steps between the two lines below; empty: nothing requires any
--   first_line: line of the earlier statement
--   first: its text
--   second_line: line of the later one
--   second: its text
--   needed: steps of the nop that the two need; after the largest number the others need no more
--   cycles: the same in cycles
-- example: takt report k.db nops
SELECT (SELECT line FROM v_place WHERE stmt = n.stmt) AS line, n.steps AS steps, n.spare AS spare,
       n.rule AS rule,
       (SELECT line FROM v_place WHERE stmt = n.first) AS first_line,
       (SELECT text FROM v_stmt WHERE stmt = n.first) AS first,
       (SELECT line FROM v_place WHERE stmt = n.second) AS second_line,
       (SELECT text FROM v_stmt WHERE stmt = n.second) AS second,
       n.needed AS needed, n.cycles AS cycles
FROM temp.nop n JOIN stmt s ON s.id = n.stmt
WHERE NOT EXISTS (SELECT 1 FROM meta WHERE key = 'region')
   OR s.region = (SELECT id FROM region WHERE name = (SELECT value FROM meta WHERE key = 'region'))
ORDER BY n.rowid
LIMIT :top
