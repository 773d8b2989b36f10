/* vocabulary: the words of Ventus assembly for editors (functional/vocabulary.h). */
#ifndef TAKT_FUNCTIONAL_VENTUS_VOCABULARY_H
#define TAKT_FUNCTIONAL_VENTUS_VOCABULARY_H

#include "functional/vocabulary.h"

extern const struct vocabulary ventus_vocabulary;

#endif
