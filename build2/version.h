#define TAKT_VERSION "0.1.0"
