#include "analysis/fit_surrogate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int fit_surrogate_init(struct fit_surrogate *s, const struct fit_space *space, const bool *sees)
{
    size_t most = 0;
    for (size_t a = 0; a < space->count; a++)
        most += space->axes[a].text ? (size_t)space->axes[a].high : 1;
    *s = (struct fit_surrogate){.coordinates = calloc(most + 1, sizeof *s->coordinates)};
    if (!s->coordinates)
        return -1;
    for (size_t a = 0; a < space->count; a++) {
        const struct fit_axis *axis = &space->axes[a];
        if (!sees[a])
            continue;
        if (!axis->text)
            s->coordinates[s->count++] = (struct fit_coordinate){
                a, -1, (axis->low + axis->high) / 2, (axis->high - axis->low) / 2};
        for (size_t k = 1; axis->text && k <= (size_t)axis->high; k++)
            s->coordinates[s->count++] = (struct fit_coordinate){a, (double)k, 0, 1};
    }
    s->terms = 1 + s->count + s->count * (s->count + 1) / 2;
    s->matrix = calloc(s->terms * s->terms, sizeof *s->matrix);
    s->right = calloc(s->terms, sizeof *s->right);
    s->factors = calloc(s->terms, sizeof *s->factors);
    return s->matrix && s->right && s->factors ? 0 : -1;
}

void fit_surrogate_free(struct fit_surrogate *s)
{
    free(s->coordinates);
    free(s->matrix);
    free(s->right);
    free(s->factors);
    *s = (struct fit_surrogate){.count = 0};
}

static void scale(const struct fit_surrogate *s, const double *point, double *z)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct fit_coordinate *c = &s->coordinates[i];
        z[i] =
            c->choice >= 0 ? (point[c->axis] == c->choice) : (point[c->axis] - c->middle) / c->half;
    }
}

void fit_surrogate_add(struct fit_surrogate *s, const double *point, double value, double weight,
                       double *room)
{
    double *z = room, *terms = room + s->count;
    size_t t = 0;
    scale(s, point, z);
    terms[t++] = 1;
    for (size_t i = 0; i < s->count; i++)
        terms[t++] = z[i];
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k <= i; k++)
            terms[t++] = z[i] * z[k];
    if (!s->begun)
        s->offset = value;
    s->begun = true;
    for (size_t i = 0; i < s->terms; i++) {
        const double w = weight * terms[i];
        s->right[i] += w * (value - s->offset);
        double *row = s->matrix + i * s->terms;
        for (size_t k = 0; w != 0 && k <= i; k++)
            row[k] += w * terms[k];
    }
}

/* Cholesky's factor of the matrix, with a little on the diagonal, in place. */
static void decompose(double *m, size_t n)
{
    double trace = 0;
    for (size_t i = 0; i < n; i++)
        trace += m[i * n + i];
    const double ridge = 1e-5 * trace / (double)n + 1e-9;
    for (size_t i = 0; i < n; i++) {
        m[i * n + i] += i ? ridge : 1e-9;
        for (size_t k = 0; k <= i; k++) {
            double sum = m[i * n + k];
            for (size_t j = 0; j < k; j++)
                sum -= m[i * n + j] * m[k * n + j];
            m[i * n + k] = k < i ? sum / m[k * n + k] : sqrt(sum > 1e-12 ? sum : 1e-12);
        }
    }
}

int fit_surrogate_solve(struct fit_surrogate *s)
{
    const size_t n = s->terms;
    double *m = malloc(n * n * sizeof *m), *x = s->factors;
    if (!m)
        return -1;
    memcpy(m, s->matrix, n * n * sizeof *m);
    decompose(m, n);
    for (size_t i = 0; i < n; i++) {
        double sum = s->right[i];
        for (size_t k = 0; k < i; k++)
            sum -= m[i * n + k] * x[k];
        x[i] = sum / m[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        double sum = x[i];
        for (size_t k = i + 1; k < n; k++)
            sum -= m[k * n + i] * x[k];
        x[i] = sum / m[i * n + i];
    }
    free(m);
    return 0;
}

double fit_surrogate_value(const struct fit_surrogate *s, const double *point, double *room)
{
    const double *factor = s->factors + 1, *product = factor + s->count;
    double value = s->offset + s->factors[0];
    scale(s, point, room);
    for (size_t i = 0; i < s->count; i++) {
        double sum = factor[i];
        for (size_t k = 0; k <= i; k++)
            sum += *product++ * room[k];
        value += room[i] * sum;
    }
    return value;
}
