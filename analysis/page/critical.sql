-- critical: the critical path within the cycles shown.
SELECT start, duration, first_stmt, last_stmt, unit, reason
FROM crit
WHERE start < :to AND start + duration > :from
ORDER BY start
LIMIT :most
