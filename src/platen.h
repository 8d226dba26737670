/* platen: page images to clean images, text regions and text. The only public header.
 *
 * Library code never prints, never exits and keeps no global state but the chosen kernel table.
 * Functions that can fail return a platen_status and fill a platen_error that the caller owns. */
#ifndef PLATEN_H
#define PLATEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLATEN_API __attribute__((visibility("default")))

/* The values are pinned: they never change their meaning. */
typedef enum platen_status {
    PLATEN_OK = 0,
    PLATEN_ERR_NOMEM = 1,       /* memory is short */
    PLATEN_ERR_IO = 2,          /* the system refused a read, a write or an open */
    PLATEN_ERR_FORMAT = 3,      /* the data is malformed or truncated */
    PLATEN_ERR_UNSUPPORTED = 4, /* well-formed, but nothing that platen can do */
    PLATEN_ERR_LIMIT = 5,       /* beyond a limit that the caller or the format set */
    PLATEN_ERR_ARG = 6,         /* a wrong argument, option or pipeline */
    PLATEN_ERR_CANCELED = 7,    /* the caller asked to stop */
    PLATEN_ERR_INTERNAL = 8,    /* a bug, or a thread that could not be made */
} platen_status;

struct platen_error {
    platen_status code;
    int os_errno;   /* of the failed call, or 0 */
    char text[240]; /* UTF-8, one line, lower case, no full stop, no control characters */
};

/* "malformed data" and the like; never NULL. */
PLATEN_API const char *platen_status_name(platen_status s);

#ifdef __cplusplus
}
#endif

#endif
