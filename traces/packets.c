#include "traces/packets.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "traces/perfetto.h"

/* Fields of the messages, and kinds of events. */
enum { TRACE_PACKET = 1 };
enum { PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_EVENT = 11, PACKET_TRACK = 60 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_PARENT = 5, TRACK_COUNTER = 8 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum {
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_TRACK = 11,
    EVENT_NAME = 23,
    EVENT_VALUE = 44,
    EVENT_FLOW = 47
};
enum { ANNOTATION_INT = 4, ANNOTATION_STRING = 6, ANNOTATION_NAME = 10 };
enum { SLICE_BEGIN = 1, SLICE_END = 2, COUNTER = 4 };

/* --- protocol buffers ------------------------------------------------------------------------- */

/* A message being written; a name that does not fit is cut. */
struct message {
    size_t size;
    unsigned char bytes[2048];
};

static void put_byte(struct message *m, unsigned byte)
{
    if (m->size < sizeof m->bytes)
        m->bytes[m->size++] = (unsigned char)byte;
}

static void put_varint(struct message *m, uint64_t value)
{
    for (; value > 127; value >>= 7)
        put_byte(m, (unsigned)(value & 127) | 128);
    put_byte(m, (unsigned)value);
}

static void put_number(struct message *m, unsigned field, uint64_t value)
{
    put_varint(m, field << 3);
    put_varint(m, value);
}

/* 64 bits, little-endian: of a double, or fixed64. */
static void put_fixed(struct message *m, unsigned field, uint64_t bits)
{
    put_varint(m, field << 3 | 1);
    for (int i = 0; i < 8; i++)
        put_byte(m, (unsigned)(bits >> 8 * i) & 255);
}

static void put_bytes(struct message *m, unsigned field, const void *bytes, size_t size)
{
    enum { OTHERS = 128 }; /* room that other fields of the message take */
    const size_t left = sizeof m->bytes - m->size;
    size = size + OTHERS < left ? size : left > OTHERS ? left - OTHERS : 0;
    put_varint(m, field << 3 | 2);
    put_varint(m, size);
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
}

/* Cut between characters. */
static void put_text(struct message *m, unsigned field, const char *text)
{
    enum { MOST = 500 };
    size_t size = strlen(text);
    if (size > MOST)
        for (size = MOST; size && ((unsigned char)text[size] & 0xc0) == 0x80;)
            size--;
    put_bytes(m, field, text, size);
}

static void write_packet(const struct message *packet, FILE *out)
{
    struct message head = {0};
    put_varint(&head, TRACE_PACKET << 3 | 2);
    put_varint(&head, packet->size);
    fwrite(head.bytes, 1, head.size, out);
    fwrite(packet->bytes, 1, packet->size, out);
}

/* --- tracks ----------------------------------------------------------------------------------- */

static int64_t whole(const json_t *event, const char *key)
{
    return (int64_t)json_integer_value(json_object_get(event, key));
}

static uint64_t cycles(const json_t *event, const char *key)
{
    return (uint64_t)llround(json_number_value(json_object_get(event, key)) * 1000);
}

static const char *text(const json_t *event, const char *key)
{
    const char *value = json_string_value(json_object_get(event, key));
    return value ? value : "";
}

static uint64_t uuid_of(int64_t process, int64_t track)
{
    return (uint64_t)process << 32 | (uint64_t)track;
}

static void write_track(const struct message *track, FILE *out)
{
    struct message packet = {0};
    put_number(&packet, PACKET_SEQUENCE, 1);
    put_bytes(&packet, PACKET_TRACK, track->bytes, track->size);
    write_packet(&packet, out);
}

/* Names of processes and threads; other metadata is the JSON's own. */
static void write_metadata(const json_t *event, FILE *out)
{
    const char *name = text(json_object_get(event, "args"), "name");
    const int64_t process = whole(event, "pid"), thread = whole(event, "tid");
    const bool of_process = strcmp(text(event, "name"), "process_name") == 0;
    struct message track = {0}, inner = {0};
    if (!of_process && strcmp(text(event, "name"), "thread_name") != 0)
        return;
    put_number(&track, TRACK_UUID, uuid_of(process, of_process ? 0 : thread));
    if (of_process) {
        put_number(&inner, PROCESS_PID, (uint64_t)process);
        put_text(&inner, PROCESS_NAME, name);
        put_bytes(&track, TRACK_PROCESS, inner.bytes, inner.size);
    } else {
        put_number(&track, TRACK_PARENT, uuid_of(process, 0));
        put_text(&track, TRACK_NAME, name);
    }
    write_track(&track, out);
}

/* Counters are tracks of their names, numbered as they come. */
struct counters {
    json_t *numbers;
};

static uint64_t counter_track(struct counters *counters, const json_t *event, FILE *out)
{
    enum { FIRST = 1 << 20 };
    const char *name = text(event, "name");
    const json_t *known = json_object_get(counters->numbers, name);
    const size_t number =
        known ? (size_t)json_integer_value(known) : json_object_size(counters->numbers);
    const uint64_t uuid = uuid_of(whole(event, "pid"), (int64_t)(FIRST + number));
    if (known)
        return uuid;
    json_object_set_new(counters->numbers, name, json_integer((json_int_t)number));
    struct message track = {0};
    put_number(&track, TRACK_UUID, uuid);
    put_number(&track, TRACK_PARENT, uuid_of(whole(event, "pid"), 0));
    put_text(&track, TRACK_NAME, name);
    put_bytes(&track, TRACK_COUNTER, "", 0);
    write_track(&track, out);
    return uuid;
}

/* --- events ----------------------------------------------------------------------------------- */

static void write_event(const struct message *event, uint64_t at, FILE *out)
{
    struct message packet = {0};
    put_number(&packet, PACKET_TIMESTAMP, at);
    put_number(&packet, PACKET_SEQUENCE, 1);
    put_bytes(&packet, PACKET_EVENT, event->bytes, event->size);
    write_packet(&packet, out);
}

static void put_annotations(struct message *event, json_t *arguments)
{
    const char *key;
    json_t *value;
    json_object_foreach(arguments, key, value)
    {
        struct message annotation = {0};
        put_text(&annotation, ANNOTATION_NAME, key);
        if (json_is_integer(value))
            put_number(&annotation, ANNOTATION_INT, (uint64_t)json_integer_value(value));
        else if (json_is_string(value))
            put_text(&annotation, ANNOTATION_STRING, json_string_value(value));
        else
            continue;
        if (event->size + annotation.size < sizeof event->bytes - 256)
            put_bytes(event, EVENT_ANNOTATION, annotation.bytes, annotation.size);
    }
}

static void write_slice(const json_t *row, FILE *out)
{
    const uint64_t uuid = uuid_of(whole(row, "pid"), whole(row, "tid")), start = cycles(row, "ts");
    struct message begin = {0}, end = {0};
    put_number(&begin, EVENT_TYPE, SLICE_BEGIN);
    put_number(&begin, EVENT_TRACK, uuid);
    put_text(&begin, EVENT_NAME, text(row, "name"));
    if (json_object_get(row, "bind_id"))
        put_fixed(&begin, EVENT_FLOW, (uint64_t)whole(row, "bind_id"));
    put_annotations(&begin, json_object_get(row, "args"));
    put_number(&end, EVENT_TYPE, SLICE_END);
    put_number(&end, EVENT_TRACK, uuid);
    write_event(&begin, start, out);
    write_event(&end, start + cycles(row, "dur"), out);
}

static void write_counter(struct counters *counters, const json_t *row, FILE *out)
{
    const double value = json_number_value(json_object_get(json_object_get(row, "args"), "value"));
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    struct message event = {0};
    put_number(&event, EVENT_TYPE, COUNTER);
    put_number(&event, EVENT_TRACK, counter_track(counters, row, out));
    put_fixed(&event, EVENT_VALUE, bits);
    write_event(&event, cycles(row, "ts"), out);
}

/* One line of the JSON: an event with or without a comma, or something else. */
static void convert(char *line, ssize_t size, struct counters *counters, FILE *out)
{
    while (size > 0 && (line[size - 1] == '\n' || line[size - 1] == ','))
        size--;
    json_t *row = size > 0 && strncmp(line, "{\"ph\":", 6) == 0
                      ? json_loadb(line, (size_t)size, 0, NULL)
                      : NULL;
    const char phase = text(row, "ph")[0];
    if (phase == 'M')
        write_metadata(row, out);
    else if (phase == 'X')
        write_slice(row, out);
    else if (phase == 'C')
        write_counter(counters, row, out);
    json_decref(row);
}

int packets_write(sqlite3 *db, uint64_t from, uint64_t to, FILE *out)
{
    FILE *events = tmpfile();
    if (!events)
        return SQLITE_IOERR;
    int rc = perfetto_write(db, from, to, events);
    struct counters counters = {json_object()};
    char *line = NULL;
    size_t room = 0;
    rewind(events);
    for (ssize_t size; rc == SQLITE_OK && (size = getline(&line, &room, events)) >= 0;)
        convert(line, size, &counters, out);
    free(line);
    json_decref(counters.numbers);
    if (ferror(events) || fflush(out) || ferror(out))
        rc = rc == SQLITE_OK ? SQLITE_IOERR : rc;
    fclose(events);
    return rc;
}
