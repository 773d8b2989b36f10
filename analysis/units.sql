-- units: which unit limits, and what keeps the others from working?
-- columns:
--   unit: name of the unit or port
--   kind: what it is: issue, alu, port, link, memory ...
--   instances: how many of them do the same
--   busy: cycles in which it works
--   waiting: cycles in which it has work but is held back
--   idle: cycles in which it has none
--   percent: busy share of all cycles
--   waits_for: the reason that holds it back most, with its cycles
-- example: takt report k.db units
SELECT u.unit, u.kind, n.instances, u.busy, u.waiting, u.idle,
       round(100.0 * u.utilization, 1) AS percent,
       (SELECT reason || ' ' || cycles FROM v_stall s WHERE s.unit = u.unit
        ORDER BY cycles DESC, reason LIMIT 1) AS waits_for
FROM v_util u JOIN unit n ON n.id = u.unit_id
WHERE u.total > 0
ORDER BY u.busy DESC, u.waiting DESC, u.unit_id
LIMIT :top
