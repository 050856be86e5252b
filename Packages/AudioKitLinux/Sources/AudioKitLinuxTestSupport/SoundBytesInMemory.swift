// SPDX-License-Identifier: MIT
package import AudioKitLinux

/// Keeps the appended bytes, and fails if they would exceed `limit`.
package final class MemorySink: SoundByteSink {
    package private(set) var bytes: [UInt8] = []
    package private(set) var callsAfterFailure = 0
    private let limit: Int
    private var hasFailed = false

    package init(limit: Int = .max) { self.limit = limit }

    package func append(_ bytes: UnsafeRawBufferPointer) throws(AudioError) {
        if hasFailed { callsAfterFailure += 1 }
        guard self.bytes.count + bytes.count <= limit else {
            hasFailed = true
            throw AudioError(.diskFull, "The memory is full.")
        }
        self.bytes += bytes
    }
}

/// Returns bytes, and fails for a read beyond `failsFrom`.
package final class MemorySource: SoundByteSource {
    package let byteCount: Int
    private let bytes: [UInt8]
    package var failsFrom = Int.max

    package init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        byteCount = self.bytes.count
    }

    package func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
        let count = max(0, min(target.count, bytes.count - offset))
        if offset + count > failsFrom { throw AudioError(.io, "The memory cannot be read.") }
        for index in 0..<count { target[index] = bytes[offset + index] }
        return count
    }
}
