-- waits: waits and their causes, the longest first.
SELECT d.dst AS dst_stmt, d.src AS src_stmt, k.name AS kind, k.reason AS reason, u.name AS unit,
       r.text AS rule, d.waited AS waited
FROM dep d JOIN dep_kind k ON k.id = d.kind LEFT JOIN unit u ON u.id = d.unit
LEFT JOIN string r ON r.id = d.rule
WHERE d.waited > 0 AND d.first_at - d.waited < :to AND d.last_at >= :from
ORDER BY d.waited DESC, d.id
LIMIT :most
