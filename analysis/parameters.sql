-- parameters: with which numbers did the machine run?
-- columns:
--   name: key in the chip file
--   value: as this run used it; a number, or a text that has no unit and no range
--   unit: of the value
--   lo: least value allowed
--   hi: greatest value allowed
--   documented: value under --documented
--   provenance: documented, public, measured, inferred or assumed
--   source: where the number comes from
--   least: least total over its plausible range, all others as they are; NULL unless takt run worked it out
--   greatest: the greatest
-- example: takt report k.db parameters
SELECT name, value, unit, CASE typeof(value) WHEN 'text' THEN NULL ELSE lo END AS lo,
       CASE typeof(value) WHEN 'text' THEN NULL ELSE hi END AS hi,
       CASE typeof(value) WHEN 'text' THEN NULL ELSE documented END AS documented,
       provenance, source, least, greatest
FROM param
ORDER BY name
LIMIT :top
