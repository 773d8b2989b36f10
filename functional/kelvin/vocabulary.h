/* vocabulary: the words of Kelvin assembly for editors (functional/vocabulary.h). */
#ifndef TAKT_FUNCTIONAL_KELVIN_VOCABULARY_H
#define TAKT_FUNCTIONAL_KELVIN_VOCABULARY_H

#include "functional/vocabulary.h"

extern const struct vocabulary kelvin_vocabulary;

#endif
