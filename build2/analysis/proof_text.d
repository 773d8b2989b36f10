build2/analysis/proof_text.o: analysis/proof_text.c analysis/proof_text.h \
 timing/bounds.h timing/graph.h host/grow.h host/hash.h host/text.h
analysis/proof_text.h:
timing/bounds.h:
timing/graph.h:
host/grow.h:
host/hash.h:
host/text.h:
