// SPDX-License-Identifier: MIT
#include "field.h"

#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

struct field_file {
    SNDFILE *file;
    char *bytes;
    sf_count_t length, position, capacity;
};

static sf_count_t length_of(void *user) { return ((field_file *)user)->length; }

static sf_count_t seek_to(sf_count_t offset, int whence, void *user) {
    field_file *file = user;
    file->position = whence == SEEK_SET ? offset : offset + (whence == SEEK_CUR ? file->position : file->length);
    return file->position;
}

static sf_count_t read_from(void *to, sf_count_t count, void *user) {
    field_file *file = user;
    if (count > file->capacity - file->position) count = file->capacity - file->position;
    memcpy(to, file->bytes + file->position, count);
    file->position += count;
    return count;
}

static sf_count_t write_to(const void *from, sf_count_t count, void *user) {
    field_file *file = user;
    if (count > file->capacity - file->position) count = file->capacity - file->position;
    memcpy(file->bytes + file->position, from, count);
    file->position += count;
    if (file->position > file->length) file->length = file->position;
    return count;
}

static sf_count_t tell_of(void *user) { return ((field_file *)user)->position; }

field_file *field_file_create(int bits, int frames) {
    static SF_VIRTUAL_IO io = {length_of, seek_to, read_from, write_to, tell_of};
    field_file *file = calloc(1, sizeof *file);
    file->capacity = (sf_count_t)frames * bits / 8;
    file->length = file->capacity;
    file->bytes = calloc(1, file->capacity);
    SF_INFO info = {.samplerate = 48000, .channels = 1,
                    .format = SF_FORMAT_RAW | SF_ENDIAN_LITTLE | (bits == 16 ? SF_FORMAT_PCM_16 : SF_FORMAT_PCM_24)};
    file->file = sf_open_virtual(&io, SFM_RDWR, &info, file);
    if (file->file) sf_command(file->file, SFC_SET_CLIPPING, NULL, SF_TRUE);
    return file;
}

void field_file_write(field_file *file, const float *samples, int frames) {
    sf_seek(file->file, 0, SEEK_SET | SFM_WRITE);
    sf_writef_float(file->file, samples, frames);
}

void field_file_read(field_file *file, float *samples, int frames) {
    sf_seek(file->file, 0, SEEK_SET | SFM_READ);
    if (sf_readf_float(file->file, samples, frames) != frames) abort();
}

void field_file_destroy(field_file *file) {
    sf_close(file->file);
    free(file->bytes);
    free(file);
}
