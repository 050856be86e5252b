// SPDX-License-Identifier: MIT

import Concurrency
public import FoundationEssentials
import Glibc

/// Writes a file of any length, encrypted and authenticated piece by piece, such as a recording while it is made.
///
/// The file appears with its first bytes. Whole chunks can be read after a crash; until ``finish()``,
/// ``SealedFileReader`` calls the file incomplete. At most one chunk of plaintext is in memory, and it is overwritten.
/// Calls run one after another on a queue of the writer's own. After an error other than `closed` the writer writes
/// nothing more; the file stays as it is.
public actor SealedFileWriter {
    private enum State {
        case open(PrivateFile)
        case failed(SecurityError)
        case finished
    }

    private let executor = QueueExecutor(label: "parley.security.sealed-file")
    private let path: String
    private let header: SealedFileHeader
    private let cipher: GCMContext
    private let buffer: ChunkBuffer
    private var chunk = 0
    private var state: State

    /// The queue that the calls run on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a file with the mode 0600 in an existing folder. If it fails there is no file.
    ///
    /// - Parameters:
    ///   - path: The path of the new file; it must be free.
    ///   - key: The master key; each file gets a key that is derived from it.
    ///   - context: The identity of the file, for example a recording's id. A reader must give the same.
    ///   - chunkExponent: The binary logarithm of the chunk's length: 12 to 20 (4 KiB to 1 MiB). Larger is faster; a
    ///     crash loses at most one chunk that ``synchronize()`` has not seen. 16 is two seconds of speech at 16 kHz.
    public static func create(
        at path: String, key: SymmetricKey, context: some ContiguousBytes, chunkExponent: UInt8 = 16
    ) async throws -> SealedFileWriter {
        guard SealedFileHeader.chunkExponents.contains(chunkExponent) else {
            throw SecurityError(code: .invalidParameter, message: "A chunk has 2^12 to 2^20 bytes.")
        }
        let context = context.withUnsafeBytes { Array($0) }
        let (header, fileKey) = try SealedFileHeader.make(key: key, context: context, chunkExponent: chunkExponent)
        let writer = SealedFileWriter(
            path: path, header: header, cipher: try GCMContext(key: fileKey, direction: .seal),
            buffer: try ChunkBuffer(chunkByteCount: header.chunkByteCount))
        try await writer.begin()
        return writer
    }

    private init(path: String, header: SealedFileHeader, cipher: sending GCMContext, buffer: sending ChunkBuffer) {
        self.path = path
        self.header = header
        self.cipher = cipher
        self.buffer = buffer
        state = .finished
    }

    private func begin() throws {
        let file = try PrivateFile(path, .create)
        do {
            try header.bytes.withUnsafeBytes { try file.write($0) }
            try PrivateFile.synchronizeFolder(of: path)
        } catch {
            unlink(path)
            throw error
        }
        state = .open(file)
    }

    /// Adds bytes at the end.
    ///
    /// - Throws: ``SecurityError``: `diskFull`, `inputOutput`, or `closed` after ``finish()``.
    public func append(_ bytes: Data) throws {
        try whileOpen { file in
            try bytes.withUnsafeBytes { source in
                var rest = source[...]
                while !rest.isEmpty {
                    // A full chunk waits for more bytes: it may be the last one.
                    if buffer.isFull { try writeChunk(to: file, isLast: false) }
                    rest = rest.dropFirst(buffer.fill(from: UnsafeRawBufferPointer(rebasing: rest)))
                }
            }
        }
    }

    /// Waits until every whole chunk so far is on the disk.
    public func synchronize() throws {
        try whileOpen { try $0.synchronize() }
    }

    /// Writes the last chunk and waits until the file is on the disk.
    public func finish() throws {
        try whileOpen { file in
            try writeChunk(to: file, isLast: true)
            try file.synchronize()
        }
        state = .finished
    }

    private func whileOpen(_ body: (PrivateFile) throws -> Void) throws {
        switch state {
        case .failed(let error): throw error
        case .finished: throw SecurityError(code: .closed, message: "\(path) is finished; nothing can be added.")
        case .open(let file):
            do {
                try body(file)
            } catch {
                buffer.clear()
                state = .failed(error as? SecurityError ?? .unavailable("write \(path)"))
                throw error
            }
        }
    }

    private func writeChunk(to file: PrivateFile, isLast: Bool) throws {
        let nonce = try ChunkNonce.bytes(chunk: chunk, isLast: isLast)
        try header.bytes.withUnsafeBytes { header in
            try nonce.withUnsafeBytes { nonce in
                try buffer.seal(with: cipher, nonce: nonce, authenticating: header) { try file.write($0) }
            }
        }
        chunk += 1
    }
}
