/*
 * path: parts of file names.
 *
 *   "kernels/a.yaml", "tile.vsm" --path_relative--> "kernels/tile.vsm"
 *   "kernels/tile.vsm" --path_base--> "tile.vsm"
 */
#ifndef TAKT_HOST_PATH_H
#define TAKT_HOST_PATH_H

/* The part after the last slash; the whole path if nothing follows it. */
const char *path_base(const char *path);
/* `name` relative to the folder of `file`; an absolute name as it is. To be freed; NULL when memory
 * is out. */
char *path_relative(const char *file, const char *name);

#endif
