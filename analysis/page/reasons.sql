-- reasons: the words of the legend.
SELECT id, name, state, sentence FROM reason ORDER BY id
