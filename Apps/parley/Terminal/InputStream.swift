// SPDX-License-Identifier: MIT

import Domain
import Glibc

/// Standard input.
struct InputStream: Sendable {
    private let descriptor: Int32 = 0

    /// Whether a person types it.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Everything up to the end, which must come within `limit` bytes and be UTF-8.
    func readAll(limit: Int) throws -> String {
        var bytes: [UInt8] = []
        while let chunk = try readChunk() {
            bytes += chunk
            guard bytes.count <= limit else { throw DomainError.queryTooLong(limit: AnswerQuestion.questionLimit) }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DomainError.file("Standard input is not text in UTF-8. Type the question, or pipe in a text file.")
        }
        return text
    }

    /// Lines as they are typed, until the end. They are read on a thread of their own, which ends with the input; what
    /// nobody takes is kept.
    func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            let reader = Unmanaged.passRetained(LineReader(input: self, continuation: continuation))
            var thread = pthread_t()
            let result = pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    Unmanaged<LineReader>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, reader.toOpaque())
            if result == 0 {
                pthread_detach(thread)
            } else {
                reader.release()
                continuation.finish()
            }
        }
    }

    private func readChunk() throws -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { return Array(buffer[..<count]) }
            if count == 0 { return nil }
            if errno != EINTR {
                throw DomainError.file("Standard input cannot be read: \(String(cString: strerror(errno))).")
            }
        }
    }

    private final class LineReader: Sendable {
        let input: InputStream
        let continuation: AsyncStream<String>.Continuation

        init(input: InputStream, continuation: AsyncStream<String>.Continuation) {
            self.input = input
            self.continuation = continuation
        }

        func run() {
            var pending: [UInt8] = []
            while let chunk = try? input.readChunk() {
                pending += chunk
                while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: pending[..<end], as: UTF8.self))
                    pending.removeFirst(end + 1)
                }
            }
            if !pending.isEmpty { continuation.yield(String(decoding: pending, as: UTF8.self)) }
            continuation.finish()
        }
    }
}
