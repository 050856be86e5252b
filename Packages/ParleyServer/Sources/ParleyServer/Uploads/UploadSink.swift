// SPDX-License-Identifier: MIT

import Concurrency
import Digests
import HTTPServer
import Networking

/// Writes a part of an upload from the network to the disk, through a block in memory.
struct UploadSink {
    /// The client's hash of the part.
    struct Checksum: Sendable, Hashable {
        let algorithm: MessageDigest.Algorithm
        let hash: [UInt8]
    }

    /// The most bytes that are collected before a write.
    private static let blockSize = 256 << 10

    let file: SoundFile
    /// The offset at which the upload ends.
    let end: Int
    private(set) var offset: Int
    /// The upload's offset of the file's first byte.
    private var base: Int
    private var block: [UInt8] = []

    /// - Parameter base: The upload's offset of the file's first byte.
    init(_ file: SoundFile, offset: Int, from base: Int = 0, end: Int) {
        self.file = file
        self.offset = offset
        self.base = base
        self.end = end
    }

    /// The number of the file's bytes that nobody has stored elsewhere.
    var unstored: Int { offset - base }

    /// Writes the bytes until the body ends, and checks them. After a disconnection the bytes stay, unless a check was
    /// requested.
    ///
    /// - Parameter store: Gets the number of the file's bytes while more follow, and returns true once it has stored them
    ///   elsewhere: the file then begins anew. Not called before a requested check.
    mutating func take(
        _ body: RequestBody, checksum: Checksum?, store: (_ count: Int) async throws -> Bool = { _ in false }
    ) async throws {
        var digest = try MessageDigest(checksum?.algorithm ?? .sha1)
        let start = offset
        do {
            for try await chunk in body {
                guard chunk.count <= end - offset - block.count else { throw UploadError.tooLong(end) }
                if checksum != nil { chunk.withUnsafeBytes { digest.update($0) } }
                block += chunk
                guard block.count >= Self.blockSize else { continue }
                try await flush()
                if checksum == nil, offset < end, try await store(unstored) { base = offset }
            }
        } catch {
            if checksum == nil {
                try await flush()
            } else {
                try await truncate(to: start)
            }
            throw error
        }
        if let checksum, digest.finish() != checksum.hash {
            try await truncate(to: start)
            throw UploadError.wrongChecksum
        }
        try await flush()
    }

    private mutating func flush() async throws {
        guard !block.isEmpty else { return }
        let (bytes, place) = (block, unstored)
        try await BlockingCall.run { [file] in try file.write(bytes, at: place) }
        offset += bytes.count
        block.removeAll(keepingCapacity: true)
    }

    private mutating func truncate(to length: Int) async throws {
        block = []
        offset = length
        try await BlockingCall.run { [file, base] in try file.truncate(to: length - base) }
    }
}
