// SPDX-License-Identifier: MIT

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
    let disk: DiskQueue
    /// The offset at which the upload ends.
    let end: Int
    private(set) var offset: Int
    private var block: [UInt8] = []

    init(_ file: SoundFile, disk: DiskQueue, offset: Int, end: Int) {
        self.file = file
        self.disk = disk
        self.offset = offset
        self.end = end
    }

    /// Writes the bytes until the body ends, and checks them. After a disconnection the bytes stay, unless a check was
    /// requested.
    mutating func take(_ body: RequestBody, checksum: Checksum?) async throws {
        var digest = try MessageDigest(checksum?.algorithm ?? .sha1)
        let start = offset
        do {
            for try await chunk in body {
                guard chunk.count <= end - offset - block.count else { throw UploadError.tooLong(end) }
                if checksum != nil { chunk.withUnsafeBytes { digest.update($0) } }
                block += chunk
                if block.count >= Self.blockSize { try await flush() }
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
        let (bytes, place) = (block, offset)
        try await disk.run { [file] in try file.write(bytes, at: place) }
        offset += bytes.count
        block.removeAll(keepingCapacity: true)
    }

    private mutating func truncate(to length: Int) async throws {
        block = []
        offset = length
        try await disk.run { [file] in try file.truncate(to: length) }
    }
}
