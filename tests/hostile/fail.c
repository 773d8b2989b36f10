/*
 * fail: a preloaded library that makes the n-th call of a kind fail, like a host that is out of
 * memory or disk space.
 *
 *   FAIL_KIND=memory|sqlite|write|interrupt   which calls are counted
 *   FAIL_AT=n                       the call that fails; 0: none. interrupt: SIGTERM comes as the
 *                                   call, which creates or renames a file, returns
 *   FAIL_PLACES=1                   count only the first call of each place: the four innermost
 *                                   callers in the program
 *   FAIL_SEEN=FILE                  with FAIL_PLACES: leave out the places in FILE; with FAIL_AT=0
 *                                   the others are written to FILE.new
 *   FAIL_COUNT=FILE                 receives the number of calls at the end of the process
 *
 * Only one process counts, from the start of main until it returns: later work, such as writing
 * coverage counters, is not part of a command. For the same reason a limit on file sizes ends
 * there. Child processes are not affected.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum kind { MEMORY, SQLITE, WRITE, INTERRUPT, NONE };
static const char *const kinds[] = {"memory", "sqlite", "write", "interrupt"};

static enum kind counted = NONE;
static long fail_at;
static bool places;
static atomic_long calls;
static pid_t owner;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
/* The next definitions after this library once it is initialised, for example those of
 * libc_malloc_debug.so. */
static void *(*next_malloc)(size_t) = __libc_malloc;
static void *(*next_calloc)(size_t, size_t) = __libc_calloc;
static void *(*next_realloc)(void *, size_t) = __libc_realloc;
static void *(*next_memalign)(size_t, size_t) = __libc_memalign;

/* A library that an extension of Python brought along is not searched by RTLD_NEXT. */
static void *next(const char *name)
{
    void *const found = dlsym(RTLD_NEXT, name);
    void *const library = found ? NULL : dlopen("libsqlite3.so.0", RTLD_LAZY | RTLD_NOLOAD);
    return library ? dlsym(library, name) : found;
}

static void start(void)
{
    const char *kind = getenv("FAIL_KIND"), *at = getenv("FAIL_AT");
    *(void **)&next_malloc = next("malloc");
    *(void **)&next_calloc = next("calloc");
    *(void **)&next_realloc = next("realloc");
    *(void **)&next_memalign = next("memalign");
    owner = getpid();
    fail_at = at ? atol(at) : 0;
    places = getenv("FAIL_PLACES") != NULL;
    for (int i = 0; kind && i < NONE; i++)
        if (!strcmp(kind, kinds[i]))
            counted = (enum kind)i;
}

/* --- places ----------------------------------------------------------------------------------- */

enum { DEPTH = 16, CALLERS = 4, TABLE = 1 << 16 };
/* Hashes of places, found by their highest bits, and the order in which they came. */
static size_t seen[TABLE], order[TABLE / 2], seen_count, known_count;

/* False if it was there, and with a full table always. */
static bool add_place(size_t hash)
{
    size_t at = hash >> 48;
    while (seen[at] && seen[at] != hash)
        at = (at + 1) % TABLE;
    if (seen[at] || seen_count == TABLE / 2)
        return false;
    seen[at] = hash;
    order[seen_count++] = hash;
    return true;
}

static void read_places(const char *path)
{
    size_t hash;
    const int fd = open(path, O_RDONLY);
    while (fd >= 0 && read(fd, &hash, sizeof hash) == (ssize_t)sizeof hash)
        add_place(hash);
    if (fd >= 0)
        close(fd);
    known_count = seen_count;
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0)
        return;
    if (write(fd, bytes, size) < 0)
        _exit(3);
    close(fd);
}

/* Registered before main, so it is called after everything registered by main. */
static void end(void)
{
    const char *count = getenv("FAIL_COUNT"), *known = getenv("FAIL_SEEN");
    char text[32], name[4096];
    const int size = snprintf(text, sizeof text, "%ld\n", (long)calls);
    struct rlimit limit;
    counted = NONE;
    if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (count && getpid() == owner)
        write_file(count, text, (size_t)size);
    if (known && !fail_at && getpid() == owner &&
        snprintf(name, sizeof name, "%s.new", known) < (int)sizeof name)
        write_file(name, order + known_count, (seen_count - known_count) * sizeof *order);
}

/* The address range of the program, as opposed to libraries. */
static size_t code_start, code_size;

static int find_code(struct dl_phdr_info *program, size_t size, void *data)
{
    (void)size;
    (void)data;
    for (int i = 0; i < program->dlpi_phnum; i++)
        if (program->dlpi_phdr[i].p_type == PT_LOAD && program->dlpi_phdr[i].p_flags & PF_X) {
            code_start = program->dlpi_addr + program->dlpi_phdr[i].p_vaddr;
            code_size = program->dlpi_phdr[i].p_memsz;
        }
    return 1; /* the program is listed first */
}

/* True if no earlier call in the program had these callers. */
static bool new_place(void)
{
    static atomic_flag busy = ATOMIC_FLAG_INIT;
    static _Thread_local bool within; /* ignore allocations of backtrace itself */
    void *frames[DEPTH];
    if (within)
        return false;
    within = true;
    const int depth = backtrace(frames, DEPTH);
    size_t hash = 14695981039346656037U;
    for (int i = 0, callers = 0; i < depth && callers < CALLERS; i++)
        if ((size_t)frames[i] - code_start < code_size) {
            hash = (hash ^ ((size_t)frames[i] - code_start)) * 1099511628211U;
            callers++;
        }
    while (atomic_flag_test_and_set(&busy))
        ;
    const bool fresh = add_place(hash | 1);
    atomic_flag_clear(&busy);
    within = false;
    return fresh;
}

static bool fails(enum kind kind)
{
    const bool over = places && fail_at && calls >= fail_at;
    if (kind != counted || over || (places && !new_place()))
        return false;
    return atomic_fetch_add(&calls, 1) + 1 == fail_at && getpid() == owner;
}

/* --- around main ------------------------------------------------------------------------------ */

typedef int main_function(int, char **, char **);
static main_function *program;

static int begin(int count, char **arguments, char **environment)
{
    const char *known = getenv("FAIL_SEEN");
    if (known)
        read_places(known);
    start();
    dl_iterate_phdr(find_code, NULL);
    if (atexit(end))
        _exit(3);
    return program(count, arguments, environment);
}

/* The arguments that glibc's start-up code passes. */
#define START                                                                                      \
    main_function *main, int count, char **arguments, void (*init)(void), void (*fini)(void),      \
        void (*rtld_fini)(void), void *stack

int __libc_start_main(START);
int __libc_start_main(START)
{
    int (*real)(START);
    *(void **)&real = next("__libc_start_main");
    program = main;
    return real(begin, count, arguments, init, fini, rtld_fini, stack);
}

/* --- memory ----------------------------------------------------------------------------------- */

#define NO_MEMORY (fails(MEMORY) ? (errno = ENOMEM, true) : false)

void *malloc(size_t size)
{
    return NO_MEMORY ? NULL : next_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return NO_MEMORY ? NULL : next_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return NO_MEMORY ? NULL : next_realloc(memory, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = NO_MEMORY ? NULL : next_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return NO_MEMORY ? NULL : next_memalign(alignment, size);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    static void *(*real)(void *, size_t, int, int, int, off_t);
    if (!real)
        *(void **)&real = next("mmap");
    return NO_MEMORY ? MAP_FAILED : real(at, size, protection, flags, fd, offset);
}

void *mremap(void *at, size_t size, size_t larger, int flags, ...)
{
    static void *(*real)(void *, size_t, size_t, int, ...);
    va_list args;
    va_start(args, flags);
    void *to = flags & MREMAP_FIXED ? va_arg(args, void *) : NULL;
    va_end(args);
    if (!real)
        *(void **)&real = next("mremap");
    return NO_MEMORY ? MAP_FAILED : real(at, size, larger, flags, to);
}

/* --- SQLite ----------------------------------------------------------------------------------- */

/* SQLite also calls itself, and does not check for failures where none can happen. */
static bool by_sqlite(void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) && strstr(info.dli_fname, "libsqlite3") != NULL;
}

#define CALL(name, parameters, arguments)                                                          \
    int name parameters                                                                            \
    {                                                                                              \
        static int(*real) parameters;                                                              \
        if (!real)                                                                                 \
            *(void **)&real = next(#name);                                                         \
        return !by_sqlite(__builtin_return_address(0)) && fails(SQLITE) ? SQLITE_IOERR             \
                                                                        : real arguments;          \
    }

CALL(sqlite3_step, (sqlite3_stmt * s), (s))
CALL(sqlite3_prepare_v2, (sqlite3 * db, const char *sql, int n, sqlite3_stmt **s, const char **t),
     (db, sql, n, s, t))
CALL(sqlite3_exec,
     (sqlite3 * db, const char *sql, int (*f)(void *, int, char **, char **), void *c, char **e),
     (db, sql, f, c, e))
/* --- writing ---------------------------------------------------------------------------------- */

#define NO_ROOM (fails(WRITE) ? (errno = ENOSPC, true) : false)
#define WRITES(type, name, parameters, arguments)                                                  \
    type name parameters                                                                           \
    {                                                                                              \
        static type(*real) parameters;                                                             \
        if (!real)                                                                                 \
            *(void **)&real = next(#name);                                                         \
        return NO_ROOM ? (type)-1 : real arguments;                                                \
    }

WRITES(ssize_t, write, (int fd, const void *b, size_t n), (fd, b, n))
WRITES(ssize_t, pwrite, (int fd, const void *b, size_t n, off_t at), (fd, b, n, at))
WRITES(ssize_t, pwrite64, (int fd, const void *b, size_t n, off64_t at), (fd, b, n, at))
WRITES(int, ftruncate, (int fd, off_t n), (fd, n))
WRITES(int, ftruncate64, (int fd, off64_t n), (fd, n))
WRITES(int, fsync, (int fd), (fd))
WRITES(int, fdatasync, (int fd), (fd))

int rename(const char *from, const char *to)
{
    static int (*real)(const char *, const char *);
    if (!real)
        *(void **)&real = next("rename");
    const int status = NO_ROOM ? -1 : real(from, to);
    if (fails(INTERRUPT))
        raise(SIGTERM);
    return status;
}

int mkstemps(char *name, int end)
{
    static int (*real)(char *, int);
    if (!real)
        *(void **)&real = next("mkstemps");
    const int fd = real(name, end);
    if (fails(INTERRUPT))
        raise(SIGTERM);
    return fd;
}

int mkstemp(char *name)
{
    return mkstemps(name, 0);
}

/* stdio writes without an interceptable call: set the error state that it would have set. */
static void spoil(FILE *file)
{
    enum { ERROR_SEEN = 0x20 }; /* _IO_ERR_SEEN of glibc, which ferror reads */
    file->_flags |= ERROR_SEEN;
}

/* The file is closed anyway, as the system would do. */
int fclose(FILE *file)
{
    static int (*real)(FILE *);
    if (!real)
        *(void **)&real = next("fclose");
    const bool full = fails(WRITE);
    const int status = real(file);
    errno = full ? ENOSPC : errno;
    return full ? EOF : status;
}

int fflush(FILE *file)
{
    static int (*real)(FILE *);
    if (!real)
        *(void **)&real = next("fflush");
    if (!file || file == stderr || !NO_ROOM)
        return real(file);
    spoil(file);
    return EOF;
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    static size_t (*real)(const void *, size_t, size_t, FILE *);
    if (!real)
        *(void **)&real = next("fwrite");
    if (file == stderr || !NO_ROOM)
        return real(bytes, size, count, file);
    spoil(file);
    return 0;
}
