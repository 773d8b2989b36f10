-- The tables of a trace. One comment a column, at the end of its line: they become schema_field, so
-- that the file documents itself, and `.schema` in the sqlite3 shell shows them too.
-- The first comment inside a table or view is what one row is; in a view, one comment a column
-- follows, `-- column TYPE: sentence`, before the SELECT. traces/check.sql has the same form.

CREATE TABLE meta (
    -- one fact about the run
    key TEXT PRIMARY KEY, -- name of the fact; `total_cycles`, `complete`, `clock_hz` and so on
    value ANY -- the fact: a number or a text
) STRICT, WITHOUT ROWID;

CREATE TABLE schema_field (
    -- what one table, column or fact of this file means
    owner TEXT NOT NULL, -- table or view
    field TEXT NOT NULL, -- column; a key for meta; empty for the table itself
    type TEXT NOT NULL, -- INTEGER, REAL, TEXT, BLOB or ANY; empty for the table itself
    sentence TEXT NOT NULL -- what it says
) STRICT;

CREATE TABLE string (
    -- one text that other tables name by its id
    id INTEGER PRIMARY KEY, -- from 1
    text TEXT NOT NULL -- the text
) STRICT;

CREATE TABLE file (
    -- one source file of the program
    id INTEGER PRIMARY KEY, -- from 0, in the order of the command line
    name TEXT NOT NULL, -- as the user gave it
    size INTEGER NOT NULL -- bytes
) STRICT;

CREATE TABLE region (
    -- one part of the program that is accounted for by itself, from `# takt: begin` to `# takt: end`
    id INTEGER PRIMARY KEY, -- 0 is what lies in none
    name TEXT NOT NULL, -- its name; `rest` of 0
    bound INTEGER -- cycles that its statements take at least in any order, as a program of their own; NULL: not known
) STRICT;

CREATE TABLE text (
    -- one text of statements of a region; those that read the same share it
    id INTEGER PRIMARY KEY, -- from 1, in the order of the first statement of each
    region INTEGER NOT NULL, -- region.id
    text TEXT NOT NULL -- the statement
) STRICT;

CREATE TABLE stmt_row (
    -- one statement of the program; read stmt, which has its text and its region
    id INTEGER PRIMARY KEY, -- from 0, in program order
    uid INTEGER NOT NULL, -- hash of text, region and ordinal among equal texts: survives moved lines
    file INTEGER NOT NULL, -- file.id
    line INTEGER NOT NULL, -- from 1
    is_line INTEGER NOT NULL, -- 1: its text is the whole of its line, which has no other row; 0: the line stands in other_line or with another statement
    text INTEGER NOT NULL -- text.id
) STRICT;

CREATE VIEW stmt AS
    -- one statement of the program; v_stmt shows it with the name of its file
    -- id INTEGER: from 0, in program order
    -- uid INTEGER: hash of text, region and ordinal among equal texts: survives moved lines
    -- file INTEGER: file.id
    -- line INTEGER: from 1
    -- region INTEGER: region.id
    -- text TEXT: the statement
    SELECT id, uid, file, line, (SELECT t.region FROM text t WHERE t.id = stmt_row.text) AS region,
           (SELECT t.text FROM text t WHERE t.id = stmt_row.text) AS text
    FROM stmt_row;

CREATE TABLE other_line (
    -- one line of the program's text that is not the text of a statement and nothing else; source shows all lines
    file INTEGER NOT NULL, -- file.id
    line INTEGER NOT NULL, -- from 1
    text TEXT NOT NULL -- the line without its end
) STRICT;

CREATE VIEW source AS
    -- one line of the program's text; file after file they are the whole of it
    -- file INTEGER: file.id
    -- line INTEGER: from 1
    -- text TEXT: the line without its end
    SELECT s.file AS file, s.line AS line, t.text AS text
    FROM stmt_row s JOIN text t ON t.id = s.text WHERE s.is_line
    UNION ALL SELECT file, line, text FROM other_line;

CREATE TABLE unit (
    -- one unit or port of the machine; one row stands for all instances that do the same
    id INTEGER PRIMARY KEY, -- from 0
    name TEXT NOT NULL, -- short and unique
    path TEXT NOT NULL, -- place in the tree, parts joined by dots
    parent INTEGER, -- unit.id of the node above; NULL at the root
    kind TEXT NOT NULL, -- issue, alu, port, link, memory, dram ...; `node` has no cycles of its own
    instances INTEGER NOT NULL, -- how many it stands for
    width REAL NOT NULL, -- long words (8 bytes) a cycle and instance; 0 when it has none
    peak_flops REAL NOT NULL -- operations a cycle of all instances; 0 when it has none
) STRICT;

CREATE TABLE param (
    -- one number of the machine that was simulated
    name TEXT PRIMARY KEY, -- key in the chip file
    unit TEXT NOT NULL, -- cycles, Hz, bytes ...
    value ANY NOT NULL, -- as this run used it: a number, or a text such as an address map
    lo REAL NOT NULL, -- least value allowed; 0 of a text, as are hi and documented
    hi REAL NOT NULL, -- greatest value allowed
    documented REAL NOT NULL, -- value under --documented
    provenance TEXT NOT NULL, -- documented, public, measured, inferred or assumed
    source TEXT NOT NULL, -- where the number comes from
    least INTEGER, -- least total over its plausible range, all others as they are; NULL: not worked out
    greatest INTEGER -- the greatest
) STRICT, WITHOUT ROWID;

CREATE TABLE state (
    -- one state of a unit
    id INTEGER PRIMARY KEY, -- 0 busy, 1 waiting, 2 idle
    name TEXT NOT NULL, -- its name
    sentence TEXT NOT NULL -- what it means
) STRICT;

CREATE TABLE reason (
    -- one reason why a unit is or is not busy
    id INTEGER PRIMARY KEY, -- order of the dictionary
    name TEXT NOT NULL, -- its name
    state INTEGER NOT NULL, -- state.id
    limits TEXT NOT NULL, -- what bounds a run whose stream stands still for it: latency, transfer, issue or a word of the machine's own; empty: nothing follows
    sentence TEXT NOT NULL -- what it means
) STRICT;

CREATE TABLE dep_kind (
    -- one kind of binding edge
    id INTEGER PRIMARY KEY, -- order of the dictionary
    name TEXT NOT NULL, -- its name
    reason INTEGER, -- reason.id of a unit that such an edge holds back; NULL: it holds none back
    sentence TEXT NOT NULL -- what it means
) STRICT;

CREATE TABLE counter (
    -- one count of the run
    name TEXT NOT NULL, -- its name; names with a dot belong together
    idx INTEGER, -- NULL: all together; else what idx_name says, as a number
    value INTEGER, -- the count; NULL: the run was cut off
    peak REAL NOT NULL, -- most that the whole chip does in a cycle; 0: there is no such figure
    unit TEXT NOT NULL, -- what is counted; `operations` are those of arithmetic
    idx_name TEXT, -- what idx counts by; NULL: there is one count only
    sentence TEXT NOT NULL -- what it counts
) STRICT;

CREATE TABLE unit_total (
    -- the cycles of one unit for one reason; for each unit they add up to total_cycles
    unit INTEGER NOT NULL, -- unit.id
    region INTEGER NOT NULL, -- region.id
    state INTEGER NOT NULL, -- state.id
    reason INTEGER NOT NULL, -- reason.id
    cycles INTEGER NOT NULL, -- cycles
    events INTEGER NOT NULL -- how often it began, also right behind the one before
) STRICT;

CREATE TABLE cost (
    -- what statements of one cost have on one unit; each such set of rows stands here once
    cost INTEGER NOT NULL, -- from 0, in the order of their first statement
    unit INTEGER NOT NULL, -- unit.id
    reason INTEGER NOT NULL, -- reason.id
    cycles INTEGER NOT NULL, -- cycles of the unit, all executions together
    execs INTEGER NOT NULL, -- executions
    ops INTEGER NOT NULL, -- arithmetic operations
    bytes INTEGER NOT NULL, -- bytes that passed this unit
    PRIMARY KEY (cost, unit, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE cost_set (
    -- how many statements have one set of cost: stmt_cost_set counted
    cost INTEGER PRIMARY KEY, -- cost.cost
    stmts INTEGER NOT NULL -- statements
) STRICT;

CREATE TABLE stmt_cost_set (
    -- which set of cost one statement has (stmt_cost adds it up); equal statements may be charged to the first of them, the others have no row
    stmt INTEGER PRIMARY KEY, -- stmt.id
    cost INTEGER NOT NULL -- cost.cost
) STRICT;

CREATE VIEW stmt_total AS
    -- what one statement costs on one unit; equal statements may be charged to the first of them, channels of memory to none
    -- stmt INTEGER: stmt.id
    -- unit INTEGER: unit.id
    -- reason INTEGER: reason.id
    -- cycles INTEGER: cycles of the unit, all executions together
    -- execs INTEGER: executions
    -- ops INTEGER: arithmetic operations
    -- bytes INTEGER: bytes that passed this unit
    SELECT s.stmt AS stmt, c.unit AS unit, c.reason AS reason, c.cycles AS cycles,
           c.execs AS execs, c.ops AS ops, c.bytes AS bytes
    FROM stmt_cost_set s CROSS JOIN cost c ON c.cost = s.cost;

CREATE VIEW unit_cost AS
    -- what all statements together cost on one unit: sums of stmt_total
    -- unit INTEGER: unit.id
    -- reason INTEGER: reason.id
    -- cycles INTEGER: cycles of the unit
    -- bytes INTEGER: bytes that passed this unit
    SELECT c.unit AS unit, c.reason AS reason, sum(s.stmts * c.cycles) AS cycles,
           sum(s.stmts * c.bytes) AS bytes
    FROM cost_set s CROSS JOIN cost c ON c.cost = s.cost GROUP BY c.unit, c.reason;

CREATE TABLE transfer (
    -- one asynchronous transfer
    id INTEGER PRIMARY KEY, -- from 1, in the order of their issue
    stmt INTEGER NOT NULL, -- stmt.id
    tag INTEGER NOT NULL, -- 0 when it carries none
    tag_name INTEGER, -- string.id: the tag as the program writes it, or NULL
    mode INTEGER NOT NULL, -- string.id
    bytes INTEGER NOT NULL, -- moved into the destination, all memories together
    issued INTEGER NOT NULL, -- cycle of its issue
    started INTEGER NOT NULL, -- cycle of its first unit operation
    finished INTEGER NOT NULL, -- cycle in which the completion notice has arrived
    waited INTEGER NOT NULL, -- cycles the stream stood at a wait for it
    waited_by INTEGER, -- stmt.id of that wait, or NULL
    limited_by INTEGER -- unit.id of what paced it, or NULL
) STRICT;

CREATE TABLE attribute (
    -- something more that transfers of this machine have
    id INTEGER PRIMARY KEY, -- from 0
    name TEXT NOT NULL, -- its name
    unit TEXT NOT NULL, -- of its values
    sentence TEXT NOT NULL -- what it means
) STRICT;

CREATE TABLE transfer_attribute (
    -- what one transfer has of one attribute
    transfer INTEGER NOT NULL, -- transfer.id
    attribute INTEGER NOT NULL, -- attribute.id
    value INTEGER NOT NULL, -- the value
    PRIMARY KEY (transfer, attribute)
) STRICT, WITHOUT ROWID;

CREATE TABLE dep (
    -- one binding edge: dst could not go on before src released it
    id INTEGER PRIMARY KEY, -- from 1, by dst, src, kind, unit and rule
    src INTEGER, -- stmt.id, or NULL when the machine itself held dst back
    dst INTEGER NOT NULL, -- stmt.id
    kind INTEGER NOT NULL, -- dep_kind.id
    unit INTEGER, -- unit.id of what they share, or NULL
    rule INTEGER, -- string.id: manual section or parameter that made it bind, or NULL
    times INTEGER NOT NULL, -- executions in which it bound; of a transfer, unit operations that waited
    waited INTEGER NOT NULL, -- cycles dst was held, all executions together
    tight INTEGER NOT NULL, -- executions in which dst went on in the cycle of the release
    min_slack INTEGER NOT NULL, -- least number of cycles between release and going on
    first_released INTEGER NOT NULL, -- cycle of the release, first execution
    first_at INTEGER NOT NULL, -- cycle in which dst went on, first execution
    last_released INTEGER NOT NULL, -- the same of the last execution
    last_at INTEGER NOT NULL -- the same of the last execution
) STRICT;

CREATE TABLE slack_range (
    -- how much later neighbouring statements, each by itself, could issue without a later end
    first_stmt INTEGER PRIMARY KEY, -- stmt.id of the first
    last_stmt INTEGER NOT NULL, -- stmt.id of the last
    slack INTEGER NOT NULL, -- cycles
    exact INTEGER NOT NULL -- 1: and not a cycle more; 0: at least so many
) STRICT;

CREATE VIEW stmt_slack AS
    -- how much later one statement could issue without a later end
    -- stmt INTEGER: stmt.id
    -- slack INTEGER: cycles
    -- exact INTEGER: 1: and not a cycle more; 0: at least so many
    SELECT s.id AS stmt, r.slack AS slack, r.exact AS exact
    FROM stmt_row s CROSS JOIN slack_range r ON r.first_stmt =
         (SELECT max(f.first_stmt) FROM slack_range f WHERE f.first_stmt <= s.id)
    WHERE s.id <= r.last_stmt;

CREATE TABLE crit (
    -- one run of the critical path; together they cover [0, total_cycles)
    start INTEGER PRIMARY KEY, -- cycle
    duration INTEGER NOT NULL, -- cycles
    first_stmt INTEGER, -- stmt.id of the first statement of the run, or NULL; two transfers that held each other in turn stand as first and last
    last_stmt INTEGER, -- stmt.id of the last
    unit INTEGER, -- unit.id of what holds it, or NULL
    reason INTEGER NOT NULL -- reason.id
) STRICT;

CREATE TABLE bound (
    -- one proven lower bound of the cycles: the largest of its class and kind
    class TEXT NOT NULL, -- what may change: this-order, any-order or free-places
    kind TEXT NOT NULL, -- what proves it: path, unit, issue, transfer or combined
    resource TEXT, -- what has the work, or NULL
    unit INTEGER, -- the same as unit.id, or NULL
    cycles INTEGER NOT NULL, -- no change of this class makes the program shorter
    certificate TEXT NOT NULL -- JSON: head, tail and lags of a path, {"head":cycles,"path":[[stmt.id,cycles to the next],...],"tail":cycles}, or the statements of a set, {"head":cycles,"work":cycles,"tail":cycles,"statements":[[first stmt.id,last stmt.id],...]}
) STRICT;

CREATE TABLE util_window (
    -- busy cycles of one unit in one window of `window` cycles (see meta); 0 is not stored
    unit INTEGER NOT NULL, -- unit.id
    idx INTEGER NOT NULL, -- the window covers [idx * window, (idx + 1) * window)
    busy INTEGER NOT NULL -- cycles
) STRICT;

CREATE TABLE warning (
    -- one warning of the run
    name INTEGER NOT NULL, -- string.id: the name that silences it
    stmt INTEGER, -- stmt.id, or NULL
    file INTEGER, -- file.id; NULL: that of stmt, if there is one
    line INTEGER, -- from 1; NULL: that of stmt, if there is one
    sentence INTEGER NOT NULL -- string.id
) STRICT;

CREATE TABLE slice_chunk (
    -- up to 4096 intervals of one unit, packed (traces/chunk.h has the layout)
    id INTEGER PRIMARY KEY, -- unit * 2^32 + number among those of the unit, from 0
    unit INTEGER NOT NULL, -- unit.id
    start INTEGER NOT NULL, -- first cycle of the first interval
    finish INTEGER NOT NULL, -- cycle after the last interval
    count INTEGER NOT NULL, -- intervals
    data BLOB NOT NULL -- the intervals
) STRICT;

CREATE TABLE slice_row (
    -- one interval of one unit, unpacked: those that touch a --window, else all of a run with up to 20,000
    unit INTEGER NOT NULL, -- unit.id
    start INTEGER NOT NULL, -- first cycle
    duration INTEGER NOT NULL, -- cycles
    reason INTEGER NOT NULL, -- reason.id
    stmt INTEGER, -- stmt.id, or NULL
    PRIMARY KEY (unit, start)
) STRICT, WITHOUT ROWID;

-- Views. -------------------------------------------------------------------------------------

CREATE VIEW slice AS
    -- one interval of one unit; in other programs the plain rows, in takt also the packed ones of a longer run
    -- ts INTEGER: first cycle
    -- dur INTEGER: cycles
    -- track_id INTEGER: unit.id
    -- name TEXT: text of the statement, or the reason when there is none
    -- category TEXT: reason.name
    -- stmt INTEGER: stmt.id, or NULL
    -- reason INTEGER: reason.id
    SELECT r.start AS ts, r.duration AS dur, r.unit AS track_id,
           coalesce(s.text, y.name) AS name, y.name AS category, r.stmt AS stmt, r.reason AS reason
    FROM slice_row r JOIN reason y ON y.id = r.reason LEFT JOIN stmt s ON s.id = r.stmt;

CREATE VIEW v_file AS
    -- one source file with its text
    -- id INTEGER: file.id
    -- name TEXT: file.name
    -- size INTEGER: bytes
    -- text TEXT: the source text
    SELECT f.id AS id, f.name AS name, f.size AS size,
           coalesce((SELECT group_concat(text, char(10)) || CASE
                     WHEN sum(length(CAST(text AS BLOB)) + 1) <= f.size THEN char(10) ELSE '' END
                     FROM (SELECT text FROM source WHERE file = f.id ORDER BY line)), '') AS text
    FROM file f;

CREATE VIEW v_stmt AS
    -- one statement with its text
    -- stmt INTEGER: stmt.id
    -- file TEXT: file.name
    -- line INTEGER: from 1
    -- text TEXT: the statement
    -- region INTEGER: region.id
    -- uid INTEGER: stmt.uid
    SELECT s.id AS stmt, f.name AS file, s.line AS line, s.text AS text, s.region AS region,
           s.uid AS uid
    FROM stmt s LEFT JOIN file f ON f.id = s.file;

CREATE VIEW v_place AS
    -- where one statement stands, as short as can be
    -- stmt INTEGER: stmt.id
    -- line ANY: from 1; of several files the last part of file.name and the line, with a colon between
    SELECT s.id AS stmt, CASE WHEN (SELECT count(*) FROM file) > 1
        THEN substr(f.name, 1 + length(rtrim(f.name, replace(f.name, '/', '')))) || ':' || s.line
        ELSE s.line END AS line
    FROM stmt s LEFT JOIN file f ON f.id = s.file;

CREATE VIEW v_util AS
    -- one unit and what its cycles are
    -- unit_id INTEGER: unit.id
    -- unit TEXT: unit.name
    -- kind TEXT: unit.kind
    -- path TEXT: unit.path
    -- busy INTEGER: cycles in which it works
    -- waiting INTEGER: cycles in which it has work but is held back
    -- idle INTEGER: cycles in which it has none
    -- total INTEGER: the three together: cycles of the run
    -- utilization REAL: busy / total, 0 to 1
    SELECT u.id AS unit_id, u.name AS unit, u.kind AS kind, u.path AS path,
           coalesce(sum(CASE WHEN t.state = 0 THEN t.cycles END), 0) AS busy,
           coalesce(sum(CASE WHEN t.state = 1 THEN t.cycles END), 0) AS waiting,
           coalesce(sum(CASE WHEN t.state = 2 THEN t.cycles END), 0) AS idle,
           coalesce(sum(t.cycles), 0) AS total,
           CASE WHEN sum(t.cycles) > 0
                THEN 1.0 * coalesce(sum(CASE WHEN t.state = 0 THEN t.cycles END), 0) / sum(t.cycles)
                ELSE 0.0 END AS utilization
    FROM unit u LEFT JOIN unit_total t ON t.unit = u.id
    WHERE u.kind <> 'node'
    GROUP BY u.id;

CREATE VIEW v_stall AS
    -- one unit held back for one reason
    -- unit TEXT: unit.name
    -- reason TEXT: reason.name
    -- cycles INTEGER: cycles
    -- events INTEGER: how often
    -- share REAL: of the cycles of the run, 0 to 1
    SELECT u.name AS unit, y.name AS reason, sum(t.cycles) AS cycles, sum(t.events) AS events,
           1.0 * sum(t.cycles) / (SELECT max(value, 1) FROM meta WHERE key = 'total_cycles')
               AS share
    FROM unit_total t JOIN unit u ON u.id = t.unit JOIN reason y ON y.id = t.reason
    WHERE t.state = 1
    GROUP BY t.unit, t.reason
    HAVING sum(t.cycles) > 0;

CREATE VIEW v_dep AS
    -- one binding edge with its names
    -- id INTEGER: dep.id
    -- kind TEXT: dep_kind.name
    -- waited INTEGER: cycles dst was held, all executions together
    -- times INTEGER: executions in which it bound; of a transfer, unit operations that waited
    -- unit TEXT: unit.name of what they share, or NULL
    -- rule TEXT: manual section or parameter that made it bind, or NULL
    -- src INTEGER: stmt.id, or NULL when the machine itself held dst back
    -- dst INTEGER: stmt.id
    -- src_file TEXT: file of src
    -- src_line INTEGER: its line
    -- src_text TEXT: its text
    -- dst_file TEXT: file of dst
    -- dst_line INTEGER: its line
    -- dst_text TEXT: its text
    -- first_released INTEGER: cycle of the release, first execution
    -- first_at INTEGER: cycle in which dst went on, first execution
    -- last_released INTEGER: the same of the last execution
    -- last_at INTEGER: the same of the last execution
    SELECT d.id AS id, k.name AS kind, d.waited AS waited, d.times AS times, u.name AS unit,
           r.text AS rule, d.src AS src, d.dst AS dst,
           sf.name AS src_file, ss.line AS src_line, ss.text AS src_text,
           df.name AS dst_file, ds.line AS dst_line, ds.text AS dst_text,
           d.first_released AS first_released, d.first_at AS first_at,
           d.last_released AS last_released, d.last_at AS last_at
    FROM dep d JOIN dep_kind k ON k.id = d.kind
    LEFT JOIN unit u ON u.id = d.unit LEFT JOIN string r ON r.id = d.rule
    LEFT JOIN stmt ss ON ss.id = d.src LEFT JOIN file sf ON sf.id = ss.file
    LEFT JOIN stmt ds ON ds.id = d.dst LEFT JOIN file df ON df.id = ds.file;

CREATE VIEW stmt_cost AS
    -- what one statement costs, its units added up
    -- stmt INTEGER: stmt.id
    -- cycles INTEGER: cycles of the issuing stream, waits included
    -- busy INTEGER: cycles of other units that work for it
    -- waiting INTEGER: cycles in which it held a unit without work
    -- execs INTEGER: executions
    -- ops INTEGER: arithmetic operations
    -- bytes_passed INTEGER: bytes that passed units, at each of them; of a transfer more than transfer.bytes
    SELECT c.stmt AS stmt,
           coalesce(sum(CASE WHEN u.kind = 'issue' THEN c.cycles END), 0) AS cycles,
           coalesce(sum(CASE WHEN y.state = 0 AND u.kind <> 'issue' THEN c.cycles END), 0) AS busy,
           coalesce(sum(CASE WHEN y.state = 1 THEN c.cycles END), 0) AS waiting,
           max(c.execs) AS execs, sum(c.ops) AS ops, sum(c.bytes) AS bytes_passed
    FROM stmt_total c CROSS JOIN unit u ON u.id = c.unit CROSS JOIN reason y ON y.id = c.reason
    GROUP BY c.stmt;

CREATE VIEW v_top_stmt AS
    -- one statement with its cycles of the stream, of other units, and held back
    -- stmt INTEGER: stmt.id
    -- file TEXT: file.name
    -- line INTEGER: from 1
    -- text TEXT: the statement
    -- stream INTEGER: cycles of the issuing stream, waits included
    -- busy INTEGER: cycles of other units that work for it
    -- waiting INTEGER: cycles in which it held a unit without work
    -- execs INTEGER: executions
    -- ops INTEGER: arithmetic operations
    -- bytes_passed INTEGER: bytes that passed units, at each of them; of a transfer more than transfer.bytes
    SELECT t.stmt AS stmt, s.file AS file, s.line AS line, s.text AS text, t.cycles AS stream,
           t.busy AS busy, t.waiting AS waiting, t.execs AS execs, t.ops AS ops, t.bytes_passed AS bytes_passed
    FROM stmt_cost t JOIN v_stmt s ON s.stmt = t.stmt;

CREATE VIEW v_gap AS
    -- the largest lower bound of each class, and the distance to any-order's
    -- class TEXT: bound.class
    -- kind TEXT: bound.kind
    -- unit TEXT: bound.resource
    -- cycles INTEGER: bound.cycles
    -- total INTEGER: cycles of the run
    -- gap INTEGER: total - cycles; NULL in other classes than any-order
    -- share REAL: gap / total, 0 to 1, or NULL
    SELECT b.class AS class, b.kind AS kind, b.resource AS unit, b.cycles AS cycles,
           m.value AS total,
           CASE WHEN b.class = 'any-order' THEN m.value - b.cycles END AS gap,
           CASE WHEN b.class <> 'any-order' THEN NULL
                WHEN m.value > 0 THEN 1.0 * (m.value - b.cycles) / m.value ELSE 0.0 END AS share
    FROM bound b JOIN meta m ON m.key = 'total_cycles'
    WHERE b.rowid = (SELECT o.rowid FROM bound o WHERE o.class = b.class
                     ORDER BY o.cycles DESC, o.rowid LIMIT 1);

CREATE VIEW v_transfer AS
    -- one transfer with its names
    -- id INTEGER: transfer.id
    -- file TEXT: file.name
    -- line INTEGER: from 1
    -- text TEXT: the statement
    -- mode TEXT: kind of transfer, from and to
    -- tag INTEGER: 0 when it carries none
    -- tag_name TEXT: the tag as the program writes it, or NULL
    -- bytes INTEGER: moved into the destination, all memories together
    -- issued INTEGER: cycle of its issue
    -- started INTEGER: cycle of its first unit operation
    -- finished INTEGER: cycle in which the completion notice has arrived
    -- waited INTEGER: cycles the stream stood at a wait for it
    -- waited_by_line INTEGER: line of that wait, or NULL
    -- limited_by TEXT: unit.name of what paced it, or NULL
    -- attributes TEXT: the other attributes with their values, `name value, name value`; NULL: none
    SELECT t.id AS id, f.name AS file, s.line AS line, s.text AS text, g.text AS mode,
           t.tag AS tag, n.text AS tag_name, t.bytes AS bytes,
           t.issued AS issued, t.started AS started, t.finished AS finished, t.waited AS waited,
           w.line AS waited_by_line, u.name AS limited_by,
           (SELECT group_concat(name || ' ' || value, ', ') FROM (
                SELECT a.name AS name, v.value AS value
                FROM transfer_attribute v JOIN attribute a ON a.id = v.attribute
                WHERE v.transfer = t.id ORDER BY a.id)) AS attributes
    FROM transfer t LEFT JOIN stmt s ON s.id = t.stmt LEFT JOIN file f ON f.id = s.file
    LEFT JOIN string g ON g.id = t.mode LEFT JOIN string n ON n.id = t.tag_name
    LEFT JOIN stmt w ON w.id = t.waited_by LEFT JOIN unit u ON u.id = t.limited_by;

CREATE VIEW v_warning AS
    -- one warning with its names
    -- name TEXT: the name that silences it
    -- file TEXT: file.name, or NULL
    -- line INTEGER: from 1, or NULL
    -- sentence TEXT: the warning
    -- stmt INTEGER: stmt.id, or NULL
    SELECT n.text AS name, f.name AS file, coalesce(w.line, s.line) AS line, g.text AS sentence,
           w.stmt AS stmt
    FROM warning w LEFT JOIN string n ON n.id = w.name LEFT JOIN string g ON g.id = w.sentence
    LEFT JOIN stmt s ON s.id = w.stmt LEFT JOIN file f ON f.id = coalesce(w.file, s.file);
