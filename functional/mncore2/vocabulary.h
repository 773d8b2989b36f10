/* vocabulary: the words of the assembly language for editors (functional/vocabulary.h). */
#ifndef TAKT_FUNCTIONAL_MNCORE2_VOCABULARY_H
#define TAKT_FUNCTIONAL_MNCORE2_VOCABULARY_H

#include "functional/vocabulary.h"

extern const struct vocabulary mncore2_vocabulary;

#endif
