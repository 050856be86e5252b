// SPDX-License-Identifier: MIT

import Concurrency
import ObjectStore

/// The bytes of objects, one after the other, and of a file's beginning after them; the same with each iteration.
struct JoinedBytes: AsyncSequence, Sendable {
    let objects: any ObjectStore
    let keys: [ObjectKey]
    var file: SoundFile?
    var count = 0

    func makeAsyncIterator() -> Iterator { Iterator(bytes: self, keys: keys[...]) }

    struct Iterator: AsyncIteratorProtocol {
        let bytes: JoinedBytes
        var keys: ArraySlice<ObjectKey>
        var present: ObjectChunks.Iterator?
        var offset = 0

        mutating func next() async throws -> [UInt8]? {
            while true {
                if let chunk = try await present?.next() { return chunk }
                present = nil
                guard let key = keys.popFirst() else { break }
                present = try await bytes.objects.get(key).chunks.makeAsyncIterator()
            }
            let (start, maximum) = (offset, Swift.min(256 << 10, bytes.count - offset))
            guard let file = bytes.file, maximum > 0 else { return nil }
            let chunk = try await BlockingCall.run { try file.read(at: start, maximum: maximum) }
            offset += chunk.count
            return chunk.isEmpty ? nil : chunk
        }
    }
}
