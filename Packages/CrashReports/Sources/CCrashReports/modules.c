// SPDX-License-Identifier: MIT
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// /proc/self/maps is read when the program crashes: libraries that it loaded late are in it, and dl_iterate_phdr(3) takes a
// lock that the crashed thread may hold.

struct mapping {
    uintptr_t start, end, offset;
    bool is_executable;
    /// The path to the end of the line; empty for memory without a file.
    const char *path;
};

static struct {
    int descriptor;
    size_t begin, end;
    // A line is a path and about 75 characters.
    char bytes[8192];
} maps;

static struct {
    uintptr_t start, end;
} code[512];
static size_t code_count;

static uintptr_t take_hex(const char **text) {
    uintptr_t number = 0;
    for (;; (*text)++) {
        char digit = **text;
        if (digit >= '0' && digit <= '9') number = number << 4 | (uintptr_t)(digit - '0');
        else if (digit >= 'a' && digit <= 'f') number = number << 4 | (uintptr_t)(digit - 'a' + 10);
        else return number;
    }
}

static void skip_field(const char **text) {
    while (**text != 0 && **text != ' ') (*text)++;
    while (**text == ' ') (*text)++;
}

/// `start-end perms offset device inode path`, proc_pid_maps(5).
static struct mapping parse(const char *line) {
    struct mapping mapping;
    mapping.start = take_hex(&line);
    if (*line == '-') line++;
    mapping.end = take_hex(&line);
    skip_field(&line);
    mapping.is_executable = line[0] != 0 && line[1] != 0 && line[2] == 'x';
    skip_field(&line);
    mapping.offset = take_hex(&line);
    for (int field = 0; field < 3; field++) skip_field(&line);
    mapping.path = line;
    return mapping;
}

static bool maps_open(void) {
    maps.begin = maps.end = 0;
    maps.descriptor = open_anyway("/proc/self/maps", O_RDONLY);
    return maps.descriptor >= 0;
}

/// The next mapping, whose path is valid until the next call.
static bool maps_next(struct mapping *mapping) {
    for (;;) {
        char *line = maps.bytes + maps.begin;
        char *newline = memchr(line, '\n', maps.end - maps.begin);
        if (newline != NULL) {
            *newline = 0;
            maps.begin = (size_t)(newline - maps.bytes) + 1;
            *mapping = parse(line);
            return true;
        }
        memmove(maps.bytes, line, maps.end - maps.begin);
        maps.end -= maps.begin;
        maps.begin = 0;
        // Longer than any path can be: the rest becomes a line of its own, whose range is empty.
        if (maps.end == sizeof maps.bytes) maps.end = 0;
        ssize_t count = read(maps.descriptor, maps.bytes + maps.end, sizeof maps.bytes - maps.end);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            close(maps.descriptor);
            return false;
        }
        maps.end += (size_t)count;
    }
}

void modules_read(void) {
    struct mapping mapping;
    code_count = 0;
    if (!maps_open()) return;
    while (maps_next(&mapping))
        if (mapping.is_executable && mapping.start < mapping.end && code_count < sizeof code / sizeof *code) {
            code[code_count].start = mapping.start;
            code[code_count++].end = mapping.end;
        }
}

bool is_code(uintptr_t address) {
    for (size_t index = 0; index < code_count; index++)
        if (address >= code[index].start && address < code[index].end) return true;
    return false;
}

bool is_program_code(uintptr_t address) {
    uintptr_t own = (uintptr_t)&is_program_code;
    for (size_t index = 0; index < code_count; index++)
        if (own >= code[index].start && own < code[index].end)
            return address >= code[index].start && address < code[index].end;
    return false;
}

void write_modules(const struct probe *probe) {
    static char image_path[4200];
    struct mapping mapping;
    struct image image = {.id_size = 0};
    image_path[0] = 0;
    if (!maps_open()) return;
    while (maps_next(&mapping)) {
        if (mapping.path[0] != '/') continue;
        if (mapping.offset == 0) {
            // An image begins here, if it is one; its code may be in one of the next mappings of the same file.
            size_t count = strnlen(mapping.path, sizeof image_path - 1);
            memcpy(image_path, mapping.path, count);
            image_path[count] = 0;
            if (!image_read(probe, mapping.start, false, &image)) image.bias = mapping.start;
        }
        if (!mapping.is_executable || strcmp(mapping.path, image_path) != 0) continue;
        write_text("module ");
        write_hex(mapping.start);
        write_text(" ");
        write_hex(mapping.end);
        write_text(" ");
        write_hex(image.bias);
        write_text(" ");
        for (size_t index = 0; index < image.id_size; index++) write_byte(image.id[index]);
        write_text(image.id_size == 0 ? "- " : " ");
        write_value(image_path, sizeof image_path);
        write_text("\n");
    }
}
