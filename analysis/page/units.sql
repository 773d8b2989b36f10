-- units: what each row of the picture shows, and its totals. A run that was killed has none.
SELECT u.id AS id, u.name AS name, u.kind AS kind, u.path AS path, u.instances AS instances,
       u.width AS width,
       coalesce(v.busy, 0) AS busy, coalesce(v.waiting, 0) AS waiting
FROM unit u LEFT JOIN v_util v ON v.unit_id = u.id
WHERE u.kind <> 'node'
ORDER BY u.id
