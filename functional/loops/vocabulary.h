/* vocabulary: the words of loop nests for editors (functional/vocabulary.h). */
#ifndef TAKT_FUNCTIONAL_LOOPS_VOCABULARY_H
#define TAKT_FUNCTIONAL_LOOPS_VOCABULARY_H

#include "functional/vocabulary.h"

extern const struct vocabulary loops_vocabulary;

#endif
