-- parameters: with which numbers did the machine run?
-- columns:
--   name: key in the chip file
--   value: as this run used it
--   unit: of the value
--   lo: least value allowed
--   hi: greatest value allowed
--   documented: value under --documented
--   provenance: documented, measured, inferred or assumed
--   source: where the number comes from
-- example: takt report k.db parameters
SELECT name, value, unit, lo, hi, documented, provenance, source
FROM param
ORDER BY name
LIMIT :top
