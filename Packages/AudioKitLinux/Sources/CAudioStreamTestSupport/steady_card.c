// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "steady_card.h"

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    snd_pcm_ioplug_t io;
    /// When frame 0 since the last prepare passed.
    int64_t origin;
    bool is_running;
    unsigned stalls, suspends;
} steady_card;

static atomic_uint stalls, suspends;
static atomic_bool misbehaves;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void parley_steady_card_stall(void) { atomic_fetch_add(&stalls, 1); }
void parley_steady_card_suspend(void) { atomic_fetch_add(&suspends, 1); }
void parley_steady_card_misbehave(void) { atomic_store(&misbehaves, true); }

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t nanoseconds(const steady_card *card, int64_t frames) { return frames * 1000000000 / card->io.rate; }

static void run_timer(steady_card *card, snd_pcm_uframes_t frames) {
    int64_t period = nanoseconds(card, (int64_t)frames);
    struct timespec step = {period / 1000000000, period % 1000000000};
    struct itimerspec times = {step, step};
    timerfd_settime(card->io.poll_fd, 0, &times, NULL);
}

static int prepare(snd_pcm_ioplug_t *io) {
    steady_card *card = io->private_data;
    card->is_running = false;
    run_timer(card, 0);
    return 0;
}

static int start(snd_pcm_ioplug_t *io) {
    steady_card *card = io->private_data;
    card->origin = now();
    card->is_running = true;
    card->stalls = atomic_load(&stalls);
    card->suspends = atomic_load(&suspends);
    run_timer(card, io->period_size);
    return 0;
}

static int stop(snd_pcm_ioplug_t *io) { return prepare(io); }

static int resume(snd_pcm_ioplug_t *io) {
    steady_card *card = io->private_data;
    // What stood in the device when it was suspended plays on.
    int64_t played = (int64_t)io->hw_ptr;
    card->origin = now() - nanoseconds(card, played);
    snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
    run_timer(card, io->period_size);
    return 0;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
    steady_card *card = io->private_data;
    int64_t position = (now() - card->origin) * io->rate / 1000000000;
    int64_t applied = (int64_t)io->appl_ptr;
    if (!card->is_running) return 0;
    if (card->stalls != atomic_load(&stalls)) return -EPIPE;
    if (card->suspends != atomic_load(&suspends)) {
        card->suspends = atomic_load(&suspends);
        snd_pcm_ioplug_set_state(io, SND_PCM_STATE_SUSPENDED);
        return (snd_pcm_sframes_t)io->hw_ptr;
    }
    int64_t limit = io->stream == SND_PCM_STREAM_CAPTURE ? applied + (int64_t)io->buffer_size : applied;
    return position > limit ? -EPIPE : (snd_pcm_sframes_t)position;
}

static snd_pcm_sframes_t transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t frames) {
    if (io->stream == SND_PCM_STREAM_CAPTURE) snd_pcm_areas_silence(areas, offset, io->channels, frames, io->format);
    if (atomic_load(&misbehaves)) {
        pthread_mutex_lock(&mutex);
        // The compiler must not see that nobody uses it.
        void *volatile memory = malloc(frames);
        free(memory);
        pthread_mutex_unlock(&mutex);
    }
    return (snd_pcm_sframes_t)frames;
}

static int poll_revents(snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned count, unsigned short *events) {
    (void)descriptors, (void)count;
    uint64_t ticks;
    if (read(io->poll_fd, &ticks, 8) < 0) ticks = 0;
    *events = io->stream == SND_PCM_STREAM_CAPTURE ? POLLIN : POLLOUT;
    return 0;
}

static int close_card(snd_pcm_ioplug_t *io) {
    steady_card *card = io->private_data;
    close(io->poll_fd);
    free(card);
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .prepare = prepare, .start = start, .stop = stop, .resume = resume, .pointer = pointer, .transfer = transfer,
    .poll_revents = poll_revents, .close = close_card,
};

static int open_card(snd_pcm_t **pcm, snd_pcm_stream_t stream, int mode) {
    steady_card *card = calloc(1, sizeof *card);
    if (!card) return -ENOMEM;
    card->io.version = SND_PCM_IOPLUG_VERSION;
    card->io.name = "a steady card";
    card->io.flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA | SND_PCM_IOPLUG_FLAG_MONOTONIC;
    card->io.poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    card->io.poll_events = POLLIN;
    card->io.callback = &callbacks;
    card->io.private_data = card;
    int code = snd_pcm_ioplug_create(&card->io, "parley-steady", stream, mode);
    if (code < 0) return code;
    static const unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED};
    static const unsigned formats[] = {SND_PCM_FORMAT_S16};
    snd_pcm_ioplug_set_param_list(&card->io, SND_PCM_IOPLUG_HW_ACCESS, 2, access);
    snd_pcm_ioplug_set_param_list(&card->io, SND_PCM_IOPLUG_HW_FORMAT, 1, formats);
    snd_pcm_ioplug_set_param_minmax(&card->io, SND_PCM_IOPLUG_HW_CHANNELS, 1, 2);
    snd_pcm_ioplug_set_param_minmax(&card->io, SND_PCM_IOPLUG_HW_RATE, 8000, 96000);
    snd_pcm_ioplug_set_param_minmax(&card->io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 64, 1 << 16);
    snd_pcm_ioplug_set_param_minmax(&card->io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 128, 1 << 18);
    snd_pcm_ioplug_set_param_minmax(&card->io, SND_PCM_IOPLUG_HW_PERIODS, 2, 1024);
    *pcm = card->io.pcm;
    return 0;
}

// The program's function comes before libasound's.
int snd_pcm_open(snd_pcm_t **pcm, const char *name, snd_pcm_stream_t stream, int mode) {
    if (!strcmp(name, PARLEY_STEADY_CARD)) return open_card(pcm, stream, mode);
    int (*next)(snd_pcm_t **, const char *, snd_pcm_stream_t, int) =
        (__typeof__(next))dlsym(RTLD_NEXT, "snd_pcm_open");
    return next(pcm, name, stream, mode);
}
