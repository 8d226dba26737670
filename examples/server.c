/* SPDX-License-Identifier: BSD-2-Clause */
/* A server that reads pictures for other programs, with its model loaded and its threads warm.
 *
 *     cc server.c -o server -pthread $(pkg-config --cflags --libs platen)
 *     ./server /tmp/reader.sock &
 *     socat - UNIX-CONNECT:/tmp/reader.sock < scan.png
 *
 * A guest sends the bytes of one picture, shuts down its side and gets the text, or why there is
 * none. Pictures of several guests are read at once, and their lines share calls of the network. */
#include <platen.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MAX_PICTURE ((size_t)64 << 20)

static struct platen_job *job;

struct guest {
    int fd;
    sem_t answered;
};

/* Called from a thread of the job. A guest that reads slowly would hold that thread: a server for
 * strangers copies the data and leaves. */
static void send_answer(void *ctx, const struct platen_answer *a)
{
    struct guest *g = ctx;
    const char *data = a->data;
    for (size_t sent = 0; sent < a->data_bytes;) {
        ssize_t n = send(g->fd, data + sent, a->data_bytes - sent, MSG_NOSIGNAL);
        if (n <= 0)
            break;
        sent += (size_t)n;
    }
    sem_post(&g->answered);
}

static void *serve_guest(void *ctx)
{
    struct guest g = {.fd = (int)(intptr_t)ctx};
    struct platen_request *request = NULL;
    struct platen_error err;
    char *picture = malloc(MAX_PICTURE);
    size_t n = 0;
    ssize_t got = 0;
    while (picture && n < MAX_PICTURE && (got = read(g.fd, picture + n, MAX_PICTURE - n)) > 0)
        n += (size_t)got;
    struct platen_picture pic = {.size = sizeof(pic),
                                 .data = picture,
                                 .data_bytes = n,
                                 .format = "txt",
                                 .ctx = &g,
                                 .answer = send_answer};
    sem_init(&g.answered, 0, 0);
    if (picture && !platen_job_ask(job, &pic, &request, &err))
        sem_wait(&g.answered);
    platen_request_free(request);
    sem_destroy(&g.answered);
    close(g.fd);
    free(picture);
    return NULL;
}

static void *run_job(void *unused)
{
    struct platen_summary sum = {.size = sizeof(sum)};
    struct platen_error err;
    if (platen_job_run(job, &sum, &err))
        fprintf(stderr, "%s\n", err.text);
    return unused;
}

static int listen_at(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 16)) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    return fd;
}

int main(int argc, char **argv)
{
    static const char spec[] = "@document";
    struct platen_pipeline *pipeline = NULL;
    struct platen_options options;
    struct platen_error err;
    pthread_t thread;
    platen_options_init(&options, sizeof(options));
    options.models = getenv("PLATEN_MODELS"); /* NULL = where platen was installed */
    options.requests = true;
    platen_status s =
        platen_pipeline_parse(spec, strlen(spec), PLATEN_FORM_TEXT, &pipeline, NULL, &err);
    s = s ? s : platen_job_new(pipeline, &options, &job, &err);
    if (s || argc != 2) {
        fprintf(stderr, "%s\n", s ? err.text : "usage: server SOCKET");
        return EXIT_FAILURE;
    }
    int listener = listen_at(argv[1]);
    if (pthread_create(&thread, NULL, run_job, NULL))
        return EXIT_FAILURE;
    for (int fd; (fd = accept(listener, NULL, NULL)) >= 0;)
        if (pthread_create(&thread, NULL, serve_guest, (void *)(intptr_t)fd))
            close(fd);
        else
            pthread_detach(thread);
    perror("accept");
    return EXIT_FAILURE;
}
