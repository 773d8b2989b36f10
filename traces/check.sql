-- v_check: what a sound trace can never show. It returns no row, or one row a contradiction.
-- A run that was killed has no totals: then only what was written is checked.

CREATE VIEW v_reached AS
    -- how far the run came; always one row
    -- complete INTEGER: 1 when the program ran to its end
    -- total INTEGER: cycles of the run, or NULL when not complete
    -- cycles INTEGER: cycles of the run, or how far it came
    SELECT (SELECT value FROM meta WHERE key = 'complete') AS complete,
           (SELECT value FROM meta WHERE key = 'total_cycles') AS total,
           coalesce((SELECT value FROM meta WHERE key = 'total_cycles'),
                    (SELECT value FROM meta WHERE key = 'cycles_reached')) AS cycles;

-- Rows and weighted cycle sums as they stand now, in the form of `seal`.
CREATE VIEW v_seal AS
    -- what one table holds now, in the form of seal
    -- owner TEXT: table
    -- rows INTEGER: rows
    -- sum INTEGER: weighted sum of its cycles modulo 1000003
    SELECT 'stmt' AS owner, count(*) AS rows, 0 AS sum FROM stmt
    UNION ALL SELECT 'cost_range', count(*),
        coalesce(sum(first_stmt + 3 * last_stmt + 5 * shape), 0) % 1000003 FROM cost_range
    UNION ALL SELECT 'source', count(*), coalesce(sum((coalesce(start, 0) + 3 * coalesce(lines, 0)) % 1000003), 0) % 1000003
        FROM source
    UNION ALL SELECT 'unit_total', count(*),
        coalesce(sum((cycles + 3 * events) % 1000003), 0) % 1000003 FROM unit_total
    UNION ALL SELECT 'cost', count(*),
        coalesce(sum((cycles + 3 * execs + 5 * ops + 7 * bytes) % 1000003), 0) % 1000003 FROM cost
    UNION ALL SELECT 'nop_tag', count(*), coalesce(sum(steps % 1000003), 0) % 1000003 FROM nop_tag
    UNION ALL SELECT 'transfer', count(*),
        coalesce(sum((issued + 3 * started + 5 * finished + 7 * waited + 11 * long_words
                      + 13 * bytes) % 1000003), 0) % 1000003 FROM transfer
    UNION ALL SELECT 'dep', count(*),
        coalesce(sum((times + 3 * waited + 5 * min_slack + 7 * first_released + 11 * first_at
                      + 13 * last_released + 17 * last_at + 19 * tight) % 1000003), 0) % 1000003
        FROM dep
    UNION ALL SELECT 'slack_range', count(*),
        coalesce(sum((slack + 3 * first_stmt + 5 * last_stmt) % 1000003), 0) % 1000003
        FROM slack_range
    UNION ALL SELECT 'crit', count(*), coalesce(sum((start + 3 * duration) % 1000003), 0) % 1000003
        FROM crit
    UNION ALL SELECT 'bound', count(*), coalesce(sum(cycles % 1000003), 0) % 1000003 FROM bound
    UNION ALL SELECT 'mip', count(*), coalesce(sum((busy + 3 * idx) % 1000003), 0) % 1000003
        FROM mip
    UNION ALL SELECT 'warning', count(*), 0 FROM warning
    UNION ALL SELECT 'slice_chunk', count(*),
        coalesce(sum((start + 3 * finish + 5 * count + 7 * length(data)) % 1000003), 0) % 1000003
        FROM slice_chunk
    UNION ALL SELECT 'pattern', count(*),
        coalesce(sum((start + 3 * duration) % 1000003), 0) % 1000003 FROM pattern
    UNION ALL SELECT 'step_chunk', count(*),
        coalesce(sum((start + 3 * finish + 5 * count + 7 * length(data) + 11 * carried) % 1000003),
                 0) % 1000003
        FROM step_chunk
    UNION ALL SELECT 'slice_row', count(*),
        coalesce(sum((start + 3 * duration) % 1000003), 0) % 1000003 FROM slice_row;

CREATE VIEW v_check AS
    -- one contradiction; a sound trace has none
    -- rule TEXT: what is violated
    -- subject TEXT: where
    -- expected ANY: what a sound trace holds
    -- found ANY: what this one holds
    SELECT 'complete' AS rule, 'meta.complete is 0 or 1' AS subject, '0 or 1' AS expected,
           complete AS found
    FROM v_reached WHERE complete IS NULL OR complete NOT IN (0, 1)
    UNION ALL
    SELECT 'complete', 'total_cycles stands exactly in complete runs', complete,
           CASE WHEN total IS NULL THEN 'none' ELSE total END
    FROM v_reached WHERE (complete = 1) <> (total IS NOT NULL)
    UNION ALL
    SELECT 'cycles', 'documented and assumed cycles add up to total_cycles',
           max(r.total, d.value), d.value + a.value
    FROM v_reached r JOIN meta d ON d.key = 'cycles_documented'
    JOIN meta a ON a.key = 'cycles_assumed'
    WHERE d.value > 0 AND max(r.total, d.value) <> d.value + a.value
    UNION ALL
    SELECT 'unit_total', 'cycles of unit ' || u.name, r.cycles, coalesce(sum(t.cycles), 0)
    FROM v_reached r CROSS JOIN unit u LEFT JOIN unit_total t ON t.unit = u.id
    WHERE u.kind <> 'node'
    GROUP BY u.id HAVING r.cycles IS NOT NULL AND coalesce(sum(t.cycles), 0) <> r.cycles
    UNION ALL
    SELECT 'unit_total', 'state of a reason of unit ' || t.unit, y.state, t.state
    FROM unit_total t JOIN reason y ON y.id = t.reason WHERE y.state <> t.state OR t.cycles < 0
    UNION ALL
    SELECT 'stmt_total', 'busy cycles of unit ' || u.name || ' over all statements',
           coalesce((SELECT sum(cycles) FROM unit_total WHERE unit = u.id AND state = 0), 0),
           coalesce(sum(n.many * c.cycles), 0)
    FROM unit u
    LEFT JOIN cost c ON c.unit = u.id AND c.reason IN (SELECT id FROM reason WHERE state = 0)
    LEFT JOIN (SELECT shape, sum(last_stmt - first_stmt + 1) AS many FROM cost_range GROUP BY shape) n
        ON n.shape = c.shape
    -- A unit that no statement is charged for (a memory channel, say) has no such sum.
    WHERE u.kind <> 'node' AND u.id IN (SELECT unit FROM cost)
    GROUP BY u.id
    HAVING coalesce(sum(n.many * c.cycles), 0) <>
           coalesce((SELECT sum(cycles) FROM unit_total WHERE unit = u.id AND state = 0), 0)
    UNION ALL
    SELECT 'cost_range', 'statements from ' || first_stmt, 'after ' || before, first_stmt || ' to ' || last_stmt
    FROM (SELECT first_stmt, last_stmt, lag(last_stmt, 1, -1) OVER (ORDER BY first_stmt) AS before FROM cost_range)
    WHERE first_stmt <= before OR last_stmt < first_stmt
    UNION ALL
    SELECT 'transfer', 'order of times of transfer ' || t.id,
           'issued <= started <= finished <= ' || coalesce(r.cycles, 'end'),
           t.issued || ', ' || t.started || ', ' || t.finished
    FROM transfer t CROSS JOIN v_reached r
    WHERE t.issued < 0 OR t.started < t.issued OR t.finished < t.started
          OR (r.complete = 1 AND t.finished > r.cycles) OR t.waited < 0
          OR t.waited > r.cycles
    UNION ALL
    SELECT 'nop', 'nops by tag', (SELECT value FROM meta WHERE key = 'nops_wait'),
           (SELECT coalesce(sum(steps), 0) FROM nop_tag)
    WHERE (SELECT value FROM meta WHERE key = 'nops_wait')
          <> (SELECT coalesce(sum(steps), 0) FROM nop_tag)
    UNION ALL
    SELECT 'nop', 'issued steps hold statements and inserted nops',
           (SELECT value FROM meta WHERE key = 'steps'), sum(value)
    FROM meta WHERE key IN ('pe_statements', 'nops_packing', 'nops_wait', 'nops_empty')
    HAVING sum(value) > (SELECT value FROM meta WHERE key = 'steps')
    UNION ALL
    SELECT 'nop', 'cycles of the stream for ' || y.name,
           m.value || ' of ' || s.value || ' steps', sum(t.cycles) || ' of ' || i.cycles || ' cycles'
    FROM (VALUES ('nops_written', 'nop'), ('nops_packing', 'packing'), ('nops_wait', 'tag'),
                 ('nops_empty', 'empty')) n
    JOIN meta m ON m.key = n.column1 JOIN meta s ON s.key = 'steps'
    JOIN reason y ON y.name = n.column2
    JOIN unit_total t ON t.reason = y.id AND t.unit IN (SELECT id FROM unit WHERE kind = 'issue')
    JOIN (SELECT sum(t.cycles) AS cycles FROM unit_total t JOIN unit u ON u.id = t.unit
          JOIN reason y ON y.id = t.reason
          WHERE u.kind = 'issue' AND y.name NOT IN ('drained', 'idle')) i
    GROUP BY y.id HAVING sum(t.cycles) * s.value <> m.value * i.cycles
    UNION ALL
    SELECT 'dep', 'times of edge ' || d.id, 'released <= at, within ' || coalesce(r.cycles, 'end'),
           d.first_released || ', ' || d.first_at || ', ' || d.last_released || ', ' || d.last_at
    FROM dep d CROSS JOIN v_reached r
    WHERE d.first_released < 0 OR d.first_at < d.first_released OR d.last_at < d.last_released
          OR d.last_at < d.first_at OR d.min_slack < 0 OR d.tight > d.times OR d.times < 1
          OR d.waited < 0 OR (r.cycles IS NOT NULL AND d.last_at > r.cycles)
    UNION ALL
    SELECT 'crit', 'runs of the critical path follow each other', after, start
    FROM (SELECT start, lag(start + duration, 1, 0) OVER (ORDER BY start) AS after FROM crit)
    WHERE start <> after
    UNION ALL
    SELECT 'crit', 'the critical path ends at the total', r.total, max(c.start + c.duration)
    FROM v_reached r CROSS JOIN crit c
    HAVING r.total IS NOT NULL AND max(c.start + c.duration) <> r.total
    UNION ALL
    SELECT 'bound', b.name, 'at most ' || r.total, b.cycles
    FROM v_reached r CROSS JOIN bound b WHERE b.cycles > r.total
    UNION ALL
    SELECT 'mip', 'busy cycles of unit ' || u.name || ' over all windows',
           coalesce((SELECT sum(cycles) FROM unit_total WHERE unit = u.id AND state = 0), 0),
           coalesce(sum(p.busy), 0)
    FROM unit u LEFT JOIN mip p ON p.unit = u.id
    WHERE u.kind <> 'node' AND EXISTS (SELECT 1 FROM mip)
    GROUP BY u.id
    HAVING coalesce(sum(p.busy), 0) <>
           coalesce((SELECT sum(cycles) FROM unit_total WHERE unit = u.id AND state = 0), 0)
    UNION ALL
    SELECT 'mip', 'window ' || p.idx || ' of unit ' || p.unit, 'at most ' || m.value, p.busy
    FROM mip p JOIN meta m ON m.key = 'window' WHERE p.busy > m.value OR p.busy < 0
    UNION ALL
    SELECT 'seal', 'rows and cycle sum of table ' || s.owner, s.rows || ' / ' || s.sum,
           v.rows || ' / ' || v.sum
    FROM seal s JOIN v_seal v ON v.owner = s.owner WHERE s.rows <> v.rows OR s.sum <> v.sum;
