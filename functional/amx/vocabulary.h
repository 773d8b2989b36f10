/* vocabulary: the words of the AMX language for editors (functional/vocabulary.h). */
#ifndef TAKT_FUNCTIONAL_AMX_VOCABULARY_H
#define TAKT_FUNCTIONAL_AMX_VOCABULARY_H

#include "functional/vocabulary.h"

extern const struct vocabulary amx_vocabulary;

#endif
