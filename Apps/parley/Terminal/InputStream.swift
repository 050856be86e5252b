// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import Glibc
import TerminalKit

/// Standard input, or another descriptor that is read to its end.
struct InputStream: Sendable {
    private let descriptor: Int32

    /// Takes an open descriptor; standard input by default.
    init(descriptor: Int32 = 0) {
        self.descriptor = descriptor
    }

    /// True if the descriptor is a terminal.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Calls `take` with bytes as they arrive, on another thread, until the end or until it returns false.
    ///
    /// - Throws: `CancellationError`, without waiting for input; the errors of `take`.
    func read(_ take: @escaping @Sendable ([UInt8]) throws -> Bool) async throws {
        let end = WakePipe()
        try await withTaskCancellationHandler {
            try await BlockingCall.run {
                while end.wait(for: descriptor) == .ready, let chunk = try readChunk(), try take(chunk) {}
            }
        } onCancel: {
            end.wake()
        }
        try Task.checkCancellation()
    }

    /// Reads everything up to the end, which may be far off; `nil` if that is more than `limit` bytes.
    func readToEnd(limit: Int) async throws -> [UInt8]? {
        let whole = Guarded<[UInt8]>([])
        try await read { chunk in
            whole.withLock { whole in
                whole += chunk
                return whole.count <= limit
            }
        }
        let bytes = whole.withLock { $0 }
        return bytes.count > limit ? nil : bytes
    }

    /// Reads everything of a file up to its end; `nil` if that is more than `limit` bytes. Blocks the thread.
    func readBytes(limit: Int) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        while let chunk = try readChunk() {
            bytes += chunk
            if bytes.count > limit { return nil }
        }
        return bytes
    }

    /// Lines as they are typed, until the end. A thread of its own reads them, and ends with the input or the stream;
    /// lines that are not read yet are kept.
    ///
    /// - Parameter count: The number of lines after which the thread ends, so that another reader gets a terminal's
    ///   next line.
    func lines(_ count: Int = .max) -> AsyncStream<String> {
        AsyncStream { continuation in
            let end = WakePipe()
            continuation.onTermination = { _ in end.wake() }
            let isRunning = DetachedThread.start {
                var (pending, left): ([UInt8], Int) = ([], count)
                while left > 0, end.wait(for: descriptor) == .ready, let chunk = try? readChunk() {
                    var rest = chunk[...]
                    while left > 0, let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        left -= 1
                        continuation.yield(String(decoding: pending + rest[..<newline], as: UTF8.self))
                        (pending, rest) = ([], rest[(newline + 1)...])
                    }
                    pending += rest
                }
                if left > 0, !pending.isEmpty { continuation.yield(String(decoding: pending, as: UTF8.self)) }
                continuation.finish()
            }
            if !isRunning { continuation.finish() }
        }
    }

    /// Bytes as they arrive, until the end; read in the same way as ``lines(_:)``.
    func chunks() -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            let end = WakePipe()
            continuation.onTermination = { _ in end.wake() }
            let isRunning = DetachedThread.start {
                while end.wait(for: descriptor) == .ready, let chunk = try? readChunk() {
                    continuation.yield(chunk)
                }
                continuation.finish()
            }
            if !isRunning { continuation.finish() }
        }
    }

    /// The next bytes; nil at the end.
    func readChunk() throws -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count > 0 { return Array(buffer[..<count]) }
            if count == 0 { return nil }
            if errno != EINTR {
                throw DomainError.file("Standard input cannot be read: \(String(cString: strerror(errno))).")
            }
        }
    }
}

/// The words of a command line as one text: `-` is replaced by standard input, which is also the text without words.
struct PipedText {
    /// The greatest size of standard input in bytes.
    let limit: Int

    /// - Returns: nil if there are no words and standard input is a terminal.
    func read(_ words: [String], from input: InputStream = InputStream()) async throws -> String? {
        guard words.isEmpty || words.contains("-") else { return words.joined(separator: " ") }
        if input.isTerminal, words.isEmpty { return nil }
        guard let bytes = try await input.readToEnd(limit: limit) else {
            throw DomainError.invalidInput("Standard input is larger than \(limit / 1_000) kB. Send less of it.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DomainError.file("Standard input is not text in UTF-8. Type the text, or pipe in a text file.")
        }
        guard words != ["-"], !words.isEmpty else { return text }
        return words.map { $0 == "-" ? text : $0 }.joined(separator: " ")
    }
}

/// A file that is read as a whole.
enum InputFile {
    /// The bytes of a file; `nil` if it has more than `limit`.
    static func bytes(of path: String, limit: Int) throws -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        do { return try InputStream(descriptor: descriptor).readBytes(limit: limit) } catch { throw failure(path) }
    }

    private static func failure(_ path: String) -> DomainError {
        .file("\(path.printable) cannot be read: \(String(cString: strerror(errno))).")
    }
}
