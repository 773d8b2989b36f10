/*
 * hazard: what may not follow what too closely (manual 3.6.3), as rows of hazard.def with the
 * latencies of the chip file. Three readers share it: takt check and the strict run refuse, the
 * interlock waits.
 *
 *   struct effect, struct region[2] --hazard_profile_*--> struct hazard_profile (once a statement)
 *   in order of issue:  mncore2_hazard_earliest, mncore2_hazard_findings: may it issue?
 *                       mncore2_hazard_issue: it does
 *
 * A profile keeps of an effect only what can take part in a hazard; it is NULL for a statement that
 * cannot. A window remembers the last producers, as far back as the longest latency reaches.
 *
 * Times are cycles. A PE statement issues at t and works in t .. t + 3. An MV statement counts as
 * touching all of its regions in the cycle in which it is issued (3.6.3.1).
 *
 * Only the cycles that a fixed write mask leaves count as written, but for LM, whose port rule
 * holds under any mask. A write under a variable entry counts as writing in each cycle but those
 * in which the entry is known to be 0, because it was itself last written under a fixed mask
 * (3.6.2).
 *
 * Inaccuracies: values are not looked at. Base address registers and T do not matter: LM rules hold
 * for every address. An entry is also known to be 0 where the mask under which it was written was.
 */
#ifndef TAKT_TIMING_MNCORE2_HAZARD_H
#define TAKT_TIMING_MNCORE2_HAZARD_H

#include "config/config.h"
#include "functional/mncore2/effect.h"

enum hazard_kind {
#define HAZARD_KIND(id, unit, phrase) KIND_##id,
#include "timing/mncore2/hazard.def"
    KIND_COUNT
};

enum hazard_row {
#define HAZARD(id, producer, consumer, overlap, count, latency, section, sentence) HAZARD_##id,
#include "timing/mncore2/hazard.def"
    HAZARD_COUNT
};

enum hazard_overlap { OVERLAP_ALWAYS, OVERLAP_SET, OVERLAP_ADDRESS };
enum hazard_unit { HAZARD_STEPS, HAZARD_CYCLES };

struct hazard_rule {
    const char *name; /* of the row, "L2BM_STORE_LOAD" */
    enum hazard_kind producer, consumer;
    enum hazard_overlap overlap;
    enum hazard_unit unit;
    const char *parameter, *section, *sentence;
};
extern const struct hazard_rule mncore2_hazard_rules[HAZARD_COUNT];
extern const char *const mncore2_hazard_phrases[KIND_COUNT];

struct hazard; /* the rows with their latencies, and all profiles made with it */
struct hazard_profile;
struct hazard_window;

/* NULL when the host has no memory or config lacks a parameter of a row. documented selects the
 * values of a documented-only run. */
struct hazard *mncore2_hazard_new(const struct config *config, bool documented);
void mncore2_hazard_free(struct hazard *hazard);
uint32_t mncore2_hazard_latency(const struct hazard *hazard, enum hazard_row row);
/* Cycles from the issue of a write of a kind to its port (rows LANDING of hazard.def). */
/* Their parameter; "" when it lands at once. */
const char *mncore2_hazard_landing_rule(enum hazard_kind kind);
uint64_t mncore2_hazard_landing(const struct hazard *hazard, enum hazard_kind kind);
/* Cycles from the issue of a producer on after which no row can bind. */
uint64_t mncore2_hazard_longest(const struct hazard *hazard);

/* Profiles live as long as the table. The effect need not outlive the call, what its operand
 * pointers name must. Returns 0, or -1 when the host has no memory. */
int mncore2_hazard_profile_step(struct hazard *hazard, const struct effect *effect,
                                const struct hazard_profile **profile);
/* For a statement that occurs once: the profile holds until steps of as many cycles as the longest
 * latency have been given to the window, so that a program of a million different statements needs
 * no more memory than a loop. */
int mncore2_hazard_profile_once(struct hazard *hazard, const struct effect *effect,
                                const struct hazard_profile **profile);
int mncore2_hazard_profile_mv(struct hazard *hazard, const struct region region[2],
                              const struct hazard_profile **profile);
/* Of a step or a move by its effect; of any other statement NULL. */
int mncore2_hazard_profile_stmt(struct hazard *hazard, const struct stmt *stmt,
                                const struct hazard_profile **profile);

/* Why a statement may not issue in a cycle. */
struct hazard_finding {
    enum hazard_row row;
    uint64_t producer;      /* id of the earlier statement, as mncore2_hazard_issue was given it */
    uint64_t issued;        /* when it issued */
    uint64_t earliest;      /* cycle from which this row would let the statement issue */
    uint32_t missing;       /* steps or cycles, by mncore2_hazard_rules[row].unit */
    uint32_t missing_steps; /* empty steps to add, whatever the unit */
    const struct operand *operand; /* NULL when there is none (MV) */
};

struct hazard_window *mncore2_hazard_window_new(const struct hazard *hazard);
void mncore2_hazard_window_free(struct hazard_window *window);

/*
 * The earliest cycle >= t, on a step boundary if later than t, at which the statement may issue.
 * When that is later than t and why is not NULL, *why is the row that binds.
 */
uint64_t mncore2_hazard_earliest(const struct hazard_window *window,
                                 const struct hazard_profile *profile, uint64_t t,
                                 struct hazard_finding *why);
/*
 * Every row that forbids issue at t, the most demanding producer of each; returns how many (at most
 * HAZARD_COUNT). With any_mask, writes under variable masks count as writing in every cycle.
 */
size_t mncore2_hazard_findings(const struct hazard_window *window,
                               const struct hazard_profile *profile, uint64_t t, bool any_mask,
                               struct hazard_finding findings[HAZARD_COUNT]);
/* True when some producer that still matters at t relies on a known zero of a variable mask. */
bool mncore2_hazard_masks_matter(const struct hazard_window *window, uint64_t t);

/* The statement issues at cycle t; t never decreases. MV statements and NULL may be given too. */
void mncore2_hazard_issue(struct hazard_window *window, const struct hazard_profile *profile,
                          uint64_t t, uint64_t id);
/* A d set or other foreign write of an entry (or of all: 0): nothing is known of it any more. */
void mncore2_hazard_forget_mask(struct hazard_window *window, unsigned entry);

#endif
