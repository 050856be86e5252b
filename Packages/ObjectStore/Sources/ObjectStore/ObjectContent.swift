// SPDX-License-Identifier: MIT

import Concurrency
import Digests
import DurableFiles
import Glibc

/// The bytes of a new object or part, whose number is known beforehand.
public struct ObjectContent: Sendable {
    /// The bytes that a file is read by.
    static let pieceByteCount = 512 << 10

    /// The number of bytes.
    public let length: Int
    /// The SHA-256 that the bytes must have, 32 bytes; nil to take any.
    public let sha256: [UInt8]?
    /// True if the bytes can be read a second time, for another attempt.
    public let isRepeatable: Bool
    private let source: ObjectChunks
    /// The bytes, if they are in memory.
    let inMemory: [UInt8]?

    /// Content from a sequence of chunks.
    ///
    /// - Parameters:
    ///   - chunks: The bytes; more or fewer than `length` are the error `damaged`, and nothing is written.
    ///   - isRepeatable: True if the sequence starts anew with each iteration.
    public init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, length: Int, sha256: [UInt8]? = nil, isRepeatable: Bool = false
    ) where Chunks.Element == [UInt8] {
        self.init(
            source: ObjectChunks(chunks), length: length, sha256: sha256, isRepeatable: isRepeatable, inMemory: nil)
    }

    private init(source: ObjectChunks, length: Int, sha256: [UInt8]?, isRepeatable: Bool, inMemory: [UInt8]?) {
        (self.source, self.length, self.sha256) = (source, max(0, length), sha256)
        (self.isRepeatable, self.inMemory) = (isRepeatable, inMemory)
    }

    /// Content in memory.
    public static func bytes(_ bytes: [UInt8], sha256: [UInt8]? = nil) -> ObjectContent {
        let chunks = ObjectChunks {
            var rest = bytes.isEmpty ? nil : bytes as [UInt8]?
            return {
                defer { rest = nil }
                return rest
            }
        }
        return ObjectContent(
            source: chunks, length: bytes.count, sha256: sha256, isRepeatable: true, inMemory: bytes)
    }

    /// The content of a file, read piece by piece; it must not change meanwhile.
    ///
    /// - Parameter range: A part of the file; nil for all of it.
    /// - Throws: ``ObjectStoreError`` with the code `file` if it cannot be opened, has fewer bytes or is a pipe.
    public static func file(
        _ path: String, range: Range<Int>? = nil, sha256: [UInt8]? = nil
    ) async throws -> ObjectContent {
        let (file, size) = try await BlockingCall.run { () throws(ObjectStoreError) in
            do throws(FileError) {
                let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
                return (file, try file.size())
            } catch { throw .ofSource(error) }
        }
        let range = range ?? 0..<size
        guard range.upperBound <= size, range.lowerBound >= 0 else {
            throw ObjectStoreError(code: .file, message: "\(path) has \(size) bytes, fewer than are to be stored.")
        }
        let chunks = ObjectChunks {
            var offset = range.lowerBound
            return {
                try Task.checkCancellation()
                let (place, count) = (offset, min(pieceByteCount, range.upperBound - offset))
                guard count > 0 else { return nil }
                let piece = try await BlockingCall.run { () throws(ObjectStoreError) in
                    do throws(FileError) { return try file.bytes(at: place, maximum: count) } catch {
                        throw .ofSource(error)
                    }
                }
                offset += piece.count
                return piece.isEmpty ? nil : piece
            }
        }
        return ObjectContent(source: chunks, length: range.count, sha256: sha256, isRepeatable: true, inMemory: nil)
    }

    /// The bytes, checked: the last chunk is handed out only if the length and the hash fit, so that a store that waits
    /// for the end never keeps other bytes.
    var chunks: ObjectChunks {
        let (source, length, sha256) = (source, length, sha256)
        return ObjectChunks {
            let reader = CheckedReader(source, length: length, sha256: sha256)
            return { try await reader.next() }
        }
    }

    /// The SHA-256 of the bytes, for which they are read once if it is not known.
    func hash() async throws -> [UInt8] {
        if let sha256 { return sha256 }
        let reader = CheckedReader(source, length: length, sha256: nil, isHashing: true)
        while try await reader.next() != nil {}
        return try reader.hash()
    }
}

/// Counts and hashes chunks as they pass.
private final class CheckedReader {
    private var iterator: ObjectChunks.Iterator
    private var digest: MessageDigest?
    private var count = 0
    private let length: Int
    private let sha256: [UInt8]?
    private let isHashing: Bool

    init(_ source: ObjectChunks, length: Int, sha256: [UInt8]?, isHashing: Bool = false) {
        iterator = source.makeAsyncIterator()
        (self.length, self.sha256, self.isHashing) = (length, sha256, isHashing || sha256 != nil)
    }

    func next() async throws -> [UInt8]? {
        if isHashing, digest == nil { digest = try MessageDigest(.sha256) }
        guard let chunk = try await iterator.next() else {
            guard count == length else { throw damaged("\(count) bytes instead of \(length)") }
            if length == 0 { try check() }
            return nil
        }
        count += chunk.count
        guard count <= length else { throw damaged("more than \(length) bytes") }
        chunk.withUnsafeBytes { digest?.update($0) }
        if count == length { try check() }
        return chunk
    }

    func hash() throws -> [UInt8] { try digest?.current() ?? [] }

    private func check() throws {
        if let sha256, try hash() != sha256 { throw damaged("another SHA-256 than was promised") }
    }

    private func damaged(_ what: String) -> ObjectStoreError {
        ObjectStoreError(code: .damaged, message: "The content has \(what). Nothing was stored; read its source again.")
    }
}

extension ObjectStoreError {
    /// The error of a file that is the source of a content, or its target.
    static func ofSource(_ error: FileError) -> ObjectStoreError {
        ObjectStoreError(
            code: error.isDiskFull ? .full : .file,
            message: "\(error) \(error.isDiskFull ? "Make room." : "Check the path and its permissions.")",
            underlying: error)
    }
}
