// SPDX-License-Identifier: MIT

internal import CMalloc

/// The memory that the process has from malloc, as glibc keeps it.
public enum AllocatedMemory {
    /// Bytes that are in use now, in all arenas and outside them: without what was freed and is kept for later, which
    /// resident memory has in it.
    public static var bytesInUse: Int {
        let info = mallinfo2()
        return Int(info.uordblks) + Int(info.hblkhd)
    }

    /// Lets all threads share one arena, where glibc would make up to eight for each core, and each keeps what a thread once
    /// needed.
    ///
    /// For a process that runs for days and seldom allocates on several threads at once. To be called before other threads
    /// have allocated: an arena that there is stays.
    ///
    /// - Returns: whether glibc took it.
    @discardableResult
    public static func shareOneArena() -> Bool { mallopt(M_ARENA_MAX, 1) == 1 }
}
