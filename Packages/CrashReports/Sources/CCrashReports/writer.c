// SPDX-License-Identifier: MIT
#include "internal.h"

#include <errno.h>
#include <unistd.h>

static struct {
    int descriptor;
    bool has_failed;
    size_t used;
    uint64_t written;
    char bytes[4096];
} writer;

void writer_begin(int descriptor) {
    writer.descriptor = descriptor;
    writer.has_failed = false;
    writer.used = 0;
    writer.written = 0;
}

uint64_t writer_flush(void) {
    size_t done = 0;
    while (done < writer.used && !writer.has_failed) {
        ssize_t count = write(writer.descriptor, writer.bytes + done, writer.used - done);
        if (count > 0) done += (size_t)count;
        else if (count == 0 || errno != EINTR) writer.has_failed = true;
    }
    writer.used = 0;
    writer.written += done;
    return writer.written;
}

static void put(char character) {
    if (writer.used == sizeof writer.bytes) writer_flush();
    writer.bytes[writer.used++] = character;
}

void write_text(const char *text) {
    while (*text != 0) put(*text++);
}

void write_value(const char *text, size_t count) {
    for (size_t index = 0; index < count && text[index] != 0; index++) {
        unsigned char byte = (unsigned char)text[index];
        put(byte < 0x20 || byte == 0x7F ? '?' : (char)byte);
    }
}

void write_decimal(uint64_t number) {
    char digits[20];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (count > 0) put(digits[--count]);
}

static char hex_digit(uint64_t number) { return "0123456789abcdef"[number & 15]; }

void write_hex(uint64_t number) {
    write_text("0x");
    int shift = 60;
    while (shift > 0 && number >> shift == 0) shift -= 4;
    for (; shift >= 0; shift -= 4) put(hex_digit(number >> shift));
}

void write_byte(uint8_t byte) {
    put(hex_digit(byte >> 4));
    put(hex_digit(byte));
}
