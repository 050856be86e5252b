// SPDX-License-Identifier: MIT
#include "internal.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t aligned(uint64_t size, uint64_t alignment) { return (size + alignment - 1) & ~(alignment - 1); }

/// Looks for the GNU build id among the notes of one segment. All sizes are 32 bits wide, so sums do not wrap.
static void find_build_id(const uint8_t *notes, uint64_t size, uint64_t alignment, struct image *image) {
    uint64_t at = 0;
    while (at + sizeof(Elf64_Nhdr) <= size) {
        Elf64_Nhdr header;
        memcpy(&header, notes + at, sizeof header);
        uint64_t name = at + sizeof header;
        uint64_t content = name + aligned(header.n_namesz, 4);
        if (content + header.n_descsz > size) return;
        if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0
            && header.n_descsz <= sizeof image->id) {
            image->id_size = header.n_descsz;
            memcpy(image->id, notes + content, header.n_descsz);
            return;
        }
        at = content + aligned(header.n_descsz, alignment);
    }
}

bool image_read(const struct probe *probe, uintptr_t start, bool is_file, struct image *image) {
    uint8_t notes[1024];
    Elf64_Ehdr header;
    image->bias = start;
    image->id_size = 0;
    if (!probe_read(probe, start, &header, sizeof header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0
        || header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr))
        return false;
    // Programs have about a dozen segments, and one read takes all of them.
    Elf64_Phdr segments[18];
    unsigned count = header.e_phnum < 18 ? header.e_phnum : 18;
    if (!probe_read(probe, start + header.e_phoff, segments, count * sizeof *segments)) return false;
    for (unsigned index = 0; index < count; index++)
        // GNU ld gives a segment without bytes in the file, of .bss alone, the offset 0, too.
        if (segments[index].p_type == PT_LOAD && segments[index].p_offset == 0 && segments[index].p_filesz > 0)
            image->bias = start - segments[index].p_vaddr;
    for (unsigned index = 0; index < count && image->id_size == 0; index++) {
        if (segments[index].p_type != PT_NOTE) continue;
        uintptr_t address =
            is_file ? start + segments[index].p_offset : image->bias + segments[index].p_vaddr;
        uint64_t size = segments[index].p_filesz < sizeof notes ? segments[index].p_filesz : sizeof notes;
        if (probe_read(probe, address, notes, size))
            find_build_id(notes, size, segments[index].p_align == 8 ? 8 : 4, image);
    }
    return true;
}

size_t crash_build_id_of_file(const char *path, uint8_t *id) {
    struct image image = {.id_size = 0};
    struct stat status;
    struct probe probe;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return 0;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 && probe_open(&probe)) {
        void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (bytes != MAP_FAILED) {
            // The probe bounds everything that the file says of itself.
            image_read(&probe, (uintptr_t)bytes, true, &image);
            munmap(bytes, (size_t)status.st_size);
        }
        probe_close(&probe);
    }
    close(descriptor);
    memcpy(id, image.id, image.id_size);
    return image.id_size;
}
