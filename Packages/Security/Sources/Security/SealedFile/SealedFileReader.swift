// SPDX-License-Identifier: MIT

import Concurrency
public import FoundationEssentials

/// Reads a file of ``SealedFileWriter`` from any offset on.
///
/// Every byte that is returned is authenticated: a chunk that was changed, moved, doubled or taken from another file is
/// `damaged`, and a file that was cut is `incomplete`. At most one chunk of plaintext is in memory, and it is
/// overwritten. An older whole file in the place of a newer one is not detected. Calls run one after another on a queue
/// of the reader's own.
public actor SealedFileReader {
    private let executor = QueueExecutor(label: "parley.security.sealed-file")
    private let path: String
    private let header: SealedFileHeader
    private let cipher: GCMContext
    private let buffer: ChunkBuffer
    private let file: PrivateFile
    private let layout: SealedFileLayout
    /// The chunk whose plaintext is in the buffer.
    private var loaded: Int?

    /// True if the writer finished the file and its end is present. An incomplete file ends with its last whole chunk.
    public nonisolated let isComplete: Bool
    /// The number of plaintext bytes that can be read.
    public nonisolated let count: Int

    /// The queue that the calls run on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens a file and checks its beginning and its end.
    ///
    /// - Parameters:
    ///   - path: The file; it must belong to the user, and no other user may read it.
    ///   - key: The master key.
    ///   - context: The writer's context.
    ///   - allowsIncomplete: True to read the whole chunks of a file that the writer did not finish.
    /// - Throws: ``SecurityError``: `wrongKey`, `damaged`, `newer`, `insecureFile`, `notFound`, and `incomplete`
    ///   unless that is allowed, or without a whole header.
    public static func open(
        _ path: String, key: SymmetricKey, context: some ContiguousBytes, allowsIncomplete: Bool = false
    ) async throws -> SealedFileReader {
        let context = context.withUnsafeBytes { Array($0) }
        return try await BlockingCall.run {
            try SealedFileReader(path, key: key, context: context, allowsIncomplete: allowsIncomplete)
        }
    }

    private init(_ path: String, key: SymmetricKey, context: [UInt8], allowsIncomplete: Bool) throws {
        let file = try PrivateFile(path, .read)
        var bytes = [UInt8](repeating: 0, count: SealedFileHeader.byteCount)
        guard try bytes.withUnsafeMutableBytes({ try file.read(at: 0, into: $0) }) == bytes.count else {
            throw SecurityError(code: .incomplete, message: "\(path) is too short for a sealed file.")
        }
        let header = try SealedFileHeader(parsing: bytes, path: path)
        let fileKey = try header.fileKey(from: key, context: context, path: path)
        let cipher = try GCMContext(key: fileKey, direction: .open)
        let buffer = try ChunkBuffer(chunkByteCount: header.chunkByteCount)
        var layout = try SealedFileLayout(fileByteCount: file.size(), header: header)
        do {
            try Self.load(layout.chunkCount - 1, of: layout, into: buffer, file, header, cipher)
        } catch let error as SecurityError where error.code == .authenticationFailed {
            guard allowsIncomplete else {
                throw SecurityError(
                    code: .incomplete,
                    message: "The end of \(path) is missing or damaged. The part before it can still be read.")
            }
            layout = try Self.wholeChunks(of: layout, into: buffer, file, header, cipher)
        }
        buffer.clear()
        self.path = path
        self.header = header
        self.cipher = cipher
        self.buffer = buffer
        self.file = file
        self.layout = layout
        isComplete = layout.isComplete
        count = layout.plainByteCount
    }

    /// Bytes from an offset on, fewer than `maximum` only at the end of the file.
    ///
    /// - Throws: ``SecurityError``: `damaged` if a chunk with some of them was changed, `invalidParameter` for a negative
    ///   offset or length.
    public func read(at offset: Int, maximum: Int) throws -> Data {
        guard offset >= 0, maximum >= 0 else {
            throw SecurityError(code: .invalidParameter, message: "An offset and a length are not negative.")
        }
        let end = min(count, offset.addingReportingOverflow(maximum).overflow ? count : offset + maximum)
        guard offset < end else { return Data() }
        var result = Data(capacity: end - offset)
        var position = offset
        while position < end {
            let (chunk, start) = position.quotientAndRemainder(dividingBy: header.chunkByteCount)
            try load(chunk)
            let taken = min(end - position, buffer.count - start)
            result.append(contentsOf: buffer.content[start..<(start + taken)])
            position += taken
        }
        return result
    }

    /// Overwrites the plaintext that is still in memory; the next read fetches it again.
    public func forget() {
        buffer.clear()
        loaded = nil
    }

    private func load(_ chunk: Int) throws {
        guard loaded != chunk else { return }
        loaded = nil
        do {
            try Self.load(chunk, of: layout, into: buffer, file, header, cipher)
        } catch let error as SecurityError where error.code == .authenticationFailed {
            throw SecurityError(
                code: .damaged,
                message: "\(path) is damaged in its chunk \(chunk), "
                    + "from byte \(chunk * header.chunkByteCount) of its content on.")
        }
        loaded = chunk
    }

    private static func load(
        _ chunk: Int, of layout: SealedFileLayout, into buffer: ChunkBuffer, _ file: PrivateFile,
        _ header: SealedFileHeader, _ cipher: GCMContext
    ) throws {
        let nonce = try ChunkNonce.bytes(chunk: chunk, isLast: layout.isLast(chunk))
        let range = layout.range(of: chunk)
        try header.bytes.withUnsafeBytes { header in
            try nonce.withUnsafeBytes { nonce in
                try buffer.open(with: cipher, nonce: nonce, authenticating: header, sealedCount: range.count) {
                    try file.read(at: range.lowerBound, into: $0)
                }
            }
        }
    }

    /// The layout of the chunks that were written in whole. A crash can leave several at the end that never reached the
    /// disk, so the search for the last one that authenticates runs from the end.
    private static func wholeChunks(
        of layout: SealedFileLayout, into buffer: ChunkBuffer, _ file: PrivateFile, _ header: SealedFileHeader,
        _ cipher: GCMContext
    ) throws -> SealedFileLayout {
        var rest = layout.withoutEnd()
        while rest.chunkCount > 0 {
            do {
                try load(rest.chunkCount - 1, of: rest, into: buffer, file, header, cipher)
                return rest
            } catch let error as SecurityError where error.code == .authenticationFailed {
                rest = rest.droppingLastChunk()
            }
        }
        return rest
    }
}
