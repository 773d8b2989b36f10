-- loops: which statements repeat in the first 4,000,000 of a stream, and what does a turn take? (a trace with intervals)
-- columns:
--   first_line: line of its first statement; of several files the file, too
--   last_line: line of its last one, of the last turn where it is unrolled
--   stream: issuing unit
--   depth: 1; in a turn of a loop of depth 1: 2, and so on
--   statements: of a turn
--   turns: how many follow each other
--   cycles: from the issue of the first statement to the end of the last turn
--   a_turn: cycles of a turn in the steady state
--   steady: turns of that length
--   entry: cycles before the first of these
--   exit: cycles after the last of these
--   limit: what the steady state is bound by
--   percent: its share of these cycles; of a resource how busy it is
-- example: takt report k.db loops
SELECT (SELECT line FROM v_place WHERE stmt = l.first) AS first_line,
       (SELECT line FROM v_place WHERE stmt = l.last) AS last_line, u.name AS stream,
       l.depth AS depth, l.statements AS statements, l.turns AS turns, l.cycles AS cycles,
       l.turn AS a_turn, l.steady AS steady, l.entry AS entry, l.leave AS exit,
       l.kind || coalesce(' ' || l.limit_unit, '') AS "limit", round(100.0 * l.share, 1) AS percent
FROM temp.loop l JOIN unit u ON u.id = l.unit
ORDER BY l.rowid
LIMIT :top
