/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/earlier/resume.h"

#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "job/page_out.h"

/* Returns whether the output is there, and adds its bytes to *bytes. */
static bool add_output(const struct platen_job *job, const struct pl_input *in, int part,
                       const struct pl_emitter *e, size_t piece, struct pl_str *scratch,
                       uint64_t *bytes)
{
    struct stat st;
    pl_output_path(scratch, job->o.output_dir, e->document ? in->document : in->stem,
                   e->document ? 0 : part, e, piece);
    if (scratch->failed || stat(scratch->s, &st))
        return false;
    *bytes += (uint64_t)st.st_size;
    return true;
}

/* Returns whether every output of the page, or of a part of it, is there, and adds their bytes to
 * *bytes. Of pieces nobody knows how many there are. */
static bool has_outputs(const struct platen_job *job, const struct pl_input *in, int part,
                        struct pl_str *scratch, uint64_t *bytes)
{
    for (size_t i = 0; i < job->plan.n_formats; i++) {
        const struct pl_emitter *e = job->plan.formats[i];
        size_t piece = 0;
        if (e->document && part == 2)
            continue; /* it has both parts, and was counted */
        if (!e->piece) {
            if (!add_output(job, in, part, e, 0, scratch, bytes))
                return false;
            continue;
        }
        while (add_output(job, in, part, e, ++piece, scratch, bytes))
            continue;
    }
    return true;
}

/* Returns whether the outputs are there and have the length that the journal tells. */
static bool is_complete(const struct platen_job *job, const struct pl_input *in, uint64_t bytes,
                        struct pl_str *scratch)
{
    uint64_t whole = 0, parts = 0;
    if (has_outputs(job, in, 0, scratch, &whole) && whole == bytes)
        return true;
    return job->plan.pipeline->divides && has_outputs(job, in, 1, scratch, &parts) &&
           has_outputs(job, in, 2, scratch, &parts) && parts == bytes;
}

/* Notes how often runs ended while they read the page: the journal tells that it was begun, and not
 * how it ended. Memory may have run out, or the machine stopped. */
static void note_deaths(const struct platen_job *job, struct pl_input *in, unsigned begun)
{
    in->begun = PL_MIN(begun, PL_MAX_DEATHS);
    in->given_up = begun >= PL_MAX_DEATHS && !job->o.retry_fatal;
    if (in->given_up)
        in->error = "earlier runs ended while they read it, twice (--retry-fatal reads it again)";
    else if (begun)
        in->begun = PL_MIN(begun, PL_MAX_DEATHS - 1);
}

/* Where the inputs end that stay together with input i: all pages of a document. */
static size_t end_of_group(const struct pl_inputs *in, size_t i)
{
    while (in->v[i].document && !pl_inputs_ends_document(in, i))
        i++;
    return i + 1;
}

/* A document is complete with all its pages. */
static void settle_documents(struct pl_inputs *in)
{
    for (size_t i = 0, end; i < in->n; i = end) {
        bool done = true;
        end = end_of_group(in, i);
        for (size_t k = i; k < end; k++)
            done = done && in->v[k].done;
        for (size_t k = i; k < end; k++)
            in->v[k].done = done;
    }
}

/* Moves pages that are read alone behind all others, and with them their documents. */
static platen_status put_suspects_last(struct pl_inputs *in, struct platen_error *err)
{
    size_t n = 0, kept = 0;
    struct pl_input *last = pl_alloc(in->n, sizeof(*last));
    if (!last)
        return pl_fail_nomem(err, in->n * sizeof(*last), "the order of pages");
    for (size_t i = 0, end; i < in->n; i = end) {
        bool suspect = false;
        end = end_of_group(in, i);
        for (size_t k = i; k < end; k++)
            suspect = suspect || (in->v[k].begun && !in->v[k].given_up && !in->v[k].done);
        for (; i < end; i++)
            if (suspect)
                last[n++] = in->v[i];
            else
                in->v[kept++] = in->v[i];
    }
    if (n)
        memcpy(in->v + kept, last, n * sizeof(*last));
    pl_free(last);
    return PLATEN_OK;
}

platen_status pl_resume_dir(struct platen_job *job, bool *ret_alone, struct platen_error *err)
{
    struct pl_str scratch = {0};
    struct pl_inputs *all = &job->source.settled;
    for (size_t i = 0; i < all->n; i++) {
        struct pl_input *in = &all->v[i];
        struct pl_input_state state = pl_input_state_of(in);
        struct pl_journal_page known = pl_journal_find(&job->journal, in, &state);
        in->done = known.done && is_complete(job, in, known.output_bytes, &scratch);
        if (!known.done)
            note_deaths(job, in, known.begun);
        *ret_alone = *ret_alone || (in->begun && !in->given_up);
    }
    pl_str_done(&scratch);
    settle_documents(all);
    return *ret_alone ? put_suspects_last(all, err) : PLATEN_OK;
}

/* Tells that n pages are read again, and what they are comes behind what the file has of them. */
static void tell_unsure(const struct platen_job *job, size_t n)
{
    struct pl_str text = {0};
    if (!n || !job->o.notice)
        return;
    pl_str_name(&text, job->o.output_file, strlen(job->o.output_file), PL_NAME_SHOWN);
    pl_str_printf(
        &text,
        ": it has %zu page%s of the same name%s, which may be others, since they came from "
        "a pipe: what is read now is added",
        n, n > 1 ? "s" : "", n > 1 ? "s" : "");
    job->o.notice(job->o.ctx, text.failed ? "out of memory for what there is to say" : text.s);
    pl_str_done(&text);
}

void pl_resume_stream(struct platen_job *job, bool *ret_alone)
{
    struct pl_inputs *all = &job->source.settled;
    size_t n_unsure = 0;
    for (size_t i = 0; i < all->n; i++) {
        struct pl_input *in = &all->v[i];
        in->number = i + 1;
        struct pl_input_state state = pl_input_state_of(in);
        struct pl_journal_page known = pl_journal_find(&job->journal, in, &state);
        in->done = known.done;
        in->told = known.told;
        n_unsure += known.unsure;
        if (!known.done)
            note_deaths(job, in, known.begun);
        *ret_alone = *ret_alone || (in->begun && !in->given_up);
    }
    tell_unsure(job, n_unsure);
}
