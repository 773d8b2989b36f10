#include "analysis/json_build.h"

static void settle(json_t **whole, int status)
{
    if (status == 0)
        return;
    json_decref(*whole);
    *whole = NULL;
}

void build_field(json_t **object, const char *key, json_t *value)
{
    settle(object, json_object_set_new(*object, key, value));
}

void build_row(json_t **list, json_t *value)
{
    settle(list, json_array_append_new(*list, value));
}

json_t *build_count(uint64_t value)
{
    return json_integer((json_int_t)value);
}
