// SPDX-License-Identifier: MIT

internal import CMalloc

/// The memory that the process has from malloc, by glibc's count.
public enum AllocatedMemory {
    /// The bytes in use now, in all arenas and outside them, without the freed memory that glibc keeps for later;
    /// resident memory includes that.
    public static var bytesInUse: Int {
        let info = mallinfo2()
        return Int(info.uordblks) + Int(info.hblkhd)
    }

    /// Lets all threads share one arena; glibc would otherwise make up to eight for each core, and each keeps the
    /// memory that a thread once needed.
    ///
    /// For a process that runs for days and seldom allocates on several threads at once. Call it before other threads
    /// have allocated: an existing arena stays.
    ///
    /// - Returns: True if glibc accepted the setting.
    @discardableResult
    public static func shareOneArena() -> Bool { mallopt(M_ARENA_MAX, 1) == 1 }
}
