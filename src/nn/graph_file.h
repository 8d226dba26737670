/* SPDX-License-Identifier: BSD-2-Clause */
/* Imported networks as files: version 2.0 of the container (platen-model.5). */
#ifndef PL_NN_GRAPH_FILE_H
#define PL_NN_GRAPH_FILE_H

#include "base/map.h"
#include "base/text.h"
#include "nn/container.h"
#include "nn/ir.h"

/* A network and the file that its constants lie in. */
struct pl_network {
    struct pl_map map;     /* empty when the bytes are borrowed */
    struct pl_map *beside; /* n_beside further files; the list lies in the arena of g */
    size_t n_beside;
    struct pl_ir g;
    bool is_onnx; /* its graph has seen no pass */
    struct pl_nn_meta *meta;
    size_t n_meta;
};

/* Reads a container of version 2.0 and checks it completely. Its constants are used where they lie:
 * the bytes stay valid as long as the network and are aligned to 16. */
PL_MUST_USE platen_status pl_network_open_memory(const void *data, size_t n,
                                                 struct pl_network **ret, struct platen_error *err);
/* Maps a container and reads it. */
PL_MUST_USE platen_status pl_network_open(const char *path, struct pl_network **ret,
                                          struct platen_error *err);
void pl_network_free(struct pl_network *n);

/* The value of a metadata key, or NULL; as a number from lo to hi, PLATEN_ERR_FORMAT when it is not
 * there or none. */
const char *pl_network_meta(const struct pl_network *n, const char *key);
PL_MUST_USE platen_status pl_network_int(const struct pl_network *n, const char *key, int lo,
                                         int hi, int *ret, struct platen_error *err);
PL_MUST_USE platen_status pl_network_number(const struct pl_network *n, const char *key, double lo,
                                            double hi, double *ret, struct platen_error *err);

/* Appends what `platen model info` prints: inputs, outputs, nodes, constants. */
void pl_network_describe(const struct pl_network *n, struct pl_str *out);

PL_DEFINE_AUTO(network)

/* Sections and records, for reader and writer. */
enum {
    PL_NET_META,
    PL_NET_STRS,
    PL_NET_VALS,
    PL_NET_NODE,
    PL_NET_EDGE,
    PL_NET_ATTR,
    PL_NET_DATA,
    PL_NET_SECTIONS
};
enum { PL_NET_VALUE_BYTES = 96, PL_NET_NODE_BYTES = 32, PL_NET_ATTR_BYTES = 24 };
enum { PL_NET_WRITTEN = 0, PL_NET_INPUT = 1, PL_NET_CONSTANT = 2 };

extern const char pl_net_sections[PL_NET_SECTIONS][5];

#endif
