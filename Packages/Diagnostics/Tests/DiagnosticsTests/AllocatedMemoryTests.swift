// SPDX-License-Identifier: MIT

import Diagnostics
import Testing

@Suite("Allocated memory")
struct AllocatedMemoryTests {
    /// Larger than what everything else in this process allocates meanwhile.
    private static let size = 256 << 20

    @Test func whatIsAllocatedCountsUntilItIsFreed() {
        let before = AllocatedMemory.bytesInUse
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.size, alignment: 16)
        let between = AllocatedMemory.bytesInUse
        memory.deallocate()
        let after = AllocatedMemory.bytesInUse
        #expect(between - before > Self.size / 2)
        #expect(between - after > Self.size / 2)
    }

    @Test func theArenaCanBeShared() { #expect(AllocatedMemory.shareOneArena()) }
}
