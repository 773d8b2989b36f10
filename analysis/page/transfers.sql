-- transfers: those that touch the cycles shown.
SELECT t.stmt AS stmt, tag.text AS tag, mode.text AS mode, t.bytes AS bytes, t.issued AS issued,
       t.started AS started, t.finished AS finished, t.waited AS waited,
       t.waited_by AS waited_stmt, u.name AS limited_by
FROM transfer t JOIN string mode ON mode.id = t.mode LEFT JOIN string tag ON tag.id = t.tag_name
LEFT JOIN unit u ON u.id = t.limited_by
WHERE t.issued < :to AND t.finished > :from
ORDER BY t.id
LIMIT :most
