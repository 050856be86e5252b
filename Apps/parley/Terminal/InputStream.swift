// SPDX-License-Identifier: MIT

import Domain
import Glibc

/// Standard input, or another descriptor that is read to its end.
struct InputStream: Sendable {
    private let descriptor: Int32

    /// An open descriptor; standard input if none is named.
    init(descriptor: Int32 = 0) {
        self.descriptor = descriptor
    }

    /// Whether a person types it.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Everything up to the end; `nil` when that is more than `limit` bytes.
    func readBytes(limit: Int) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        while let chunk = try readChunk() {
            bytes += chunk
            if bytes.count > limit { return nil }
        }
        return bytes
    }

    /// Lines as they are typed, until the end. They are read on a thread of their own, which ends with the input or the stream;
    /// what nobody takes is kept.
    ///
    /// - Parameter count: After so many the thread ends, leaving a terminal's next line to whoever asks for it.
    func lines(_ count: Int = .max) -> AsyncStream<String> {
        AsyncStream { continuation in
            let stop = StopSignal()
            continuation.onTermination = { _ in stop.raise() }
            let isRunning = Self.onThread {
                var (pending, left): ([UInt8], Int) = ([], count)
                while left > 0, stop.waits(for: descriptor), let chunk = try? readChunk() {
                    pending += chunk
                    while left > 0, let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                        left -= 1
                        continuation.yield(String(decoding: pending[..<end], as: UTF8.self))
                        pending.removeFirst(end + 1)
                    }
                }
                if left > 0, !pending.isEmpty { continuation.yield(String(decoding: pending, as: UTF8.self)) }
                continuation.finish()
            }
            if !isRunning { continuation.finish() }
        }
    }

    /// Bytes as they come, until the end; read as ``lines(_:)`` reads.
    func chunks() -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            let stop = StopSignal()
            continuation.onTermination = { _ in stop.raise() }
            let isRunning = Self.onThread {
                while stop.waits(for: descriptor), let chunk = try? readChunk() { continuation.yield(chunk) }
                continuation.finish()
            }
            if !isRunning { continuation.finish() }
        }
    }

    /// Runs `body` on a thread of its own.
    ///
    /// - Returns: False when the system has no thread left.
    static func onThread(_ body: @escaping @Sendable () -> Void) -> Bool {
        let work = Unmanaged.passRetained(Work(body: body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        if result == 0 { pthread_detach(thread) } else { work.release() }
        return result == 0
    }

    /// The next bytes; nil at the end.
    func readChunk() throws -> [UInt8]? {
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

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}

/// Ends a thread that waits for input.
private final class StopSignal: Sendable {
    /// The reading and the writing end of a pipe. -1 if the system has no descriptor left: the thread then ends with its input.
    private let (event, bell): (Int32, Int32)

    init() {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
        (event, bell) = (ends[0], ends[1])
    }

    deinit { for end in [event, bell] where end >= 0 { close(end) } }

    func raise() { if bell >= 0 { _ = write(bell, [1], 1) } }

    /// Blocks until there is input, or its end; false if the thread is to end.
    func waits(for descriptor: Int32) -> Bool {
        var polls = [
            pollfd(fd: event, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let count = poll(&polls, 2, -1)
            if count < 0, errno == EINTR { continue }
            return count < 0 || polls[0].revents == 0
        }
    }
}
