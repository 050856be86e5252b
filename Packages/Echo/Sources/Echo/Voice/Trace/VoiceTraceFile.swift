// SPDX-License-Identifier: MIT

import Concurrency
import Glibc

/// A file for traces, readable by its owner alone. New conversations are appended.
///
/// Lines are written in order by a queue of their own, so that ``take(_:)`` never waits for a disk. When the file has
/// reached its limit, a last line says so and the rest is left out; when writing fails, the file ends there.
public final class VoiceTraceFile: VoiceTraceSink {
    /// The default limit of the file, in bytes: an hour and a half of conversation at least; an hour has 65 to 80 MB.
    public static let defaultLimit = 128 << 20
    /// The limit of the lines that wait for the disk, in bytes.
    private static let waitingLimit = 16 << 20

    private struct State {
        var size: Int
        var waiting = 0
        var isOver = false
        var failure: VoiceTraceError?
        var listener: (@Sendable (VoiceTraceError) -> Void)?
    }

    private let path: String
    private let limit: Int
    private let state: Guarded<State>
    private let descriptor: Int32
    private let queue = QueueExecutor(label: "parley.echo.trace")

    /// Opens a file, or makes one.
    ///
    /// - Parameter limit: The most bytes that it may have.
    /// - Throws: `EchoError.invalidConfiguration(_:)` if it cannot be written, is full, or is something else than a trace.
    public init(path: String, limit: Int = defaultLimit) throws(EchoError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Self.isTrace(descriptor),
            fchmod(descriptor, 0o600) == 0
        else {
            Glibc.close(descriptor)
            throw .invalidConfiguration(
                "\(path) is there already and is no trace of yours that this version writes; it stays as it is. Name "
                    + "another file.")
        }
        guard !Self.isFull(descriptor, status.st_size) else {
            Glibc.close(descriptor)
            throw .invalidConfiguration(
                "The trace \(path) is full: it takes nothing more, and can be replayed. Name another file.")
        }
        self.path = path
        self.limit = min(max(limit, 0), VoiceTrace.maximumSize)
        self.descriptor = descriptor
        state = Guarded(State(size: Int(status.st_size)))
        // The program that wrote the last line may have been ended within it.
        var end: UInt8 = 0
        if status.st_size > 0, pread(descriptor, &end, 1, status.st_size - 1) == 1, end != UInt8(ascii: "\n") {
            queue.run { self.write([UInt8(ascii: "\n")]) }
        }
    }

    deinit { Glibc.close(descriptor) }

    /// Takes a line.
    public func take(_ line: String) {
        let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
        let taken: [UInt8]? = state.withLock { state in
            guard !state.isOver else { return nil }
            if state.size + bytes.count > limit - Self.last.count || state.waiting + bytes.count > Self.waitingLimit {
                state.isOver = true
                return Self.last
            }
            state.size += bytes.count
            state.waiting += bytes.count
            return bytes
        }
        guard let taken else { return }
        queue.run { self.write(taken) }
    }

    /// True if lines were left out, since the file has reached its limit, or the disk could not keep up. The lines
    /// before can be replayed.
    public var isFull: Bool { state.withLock { $0.isOver && $0.failure == nil } }

    /// Calls `tell` once, as soon as writing has failed: the disk is full, or fails. A later call replaces the handler.
    /// It runs on the file's own queue.
    public func whenFailed(_ tell: @escaping @Sendable (VoiceTraceError) -> Void) {
        queue.run {
            let failure = self.state.withLock { state in
                if state.failure == nil { state.listener = tell }
                return state.failure
            }
            if let failure { tell(failure) }
        }
    }

    /// Returns when all lines are written, and the handler of ``whenFailed(_:)`` was called if writing failed.
    ///
    /// - Throws: ``VoiceTraceError/notWritten(path:reason:)`` if writing failed.
    public func finish() async throws(VoiceTraceError) {
        let failure = await withCheckedContinuation { continuation in
            queue.run { continuation.resume(returning: self.state.withLock { $0.failure }) }
        }
        if let failure { throw failure }
    }

    private static let last = Array("{\"isFull\":true}\n".utf8)

    private func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, state.withLock({ $0.failure }) == nil {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                fail(VoiceTraceError.notWritten(path: path, reason: String(cString: strerror(errno))))
            }
        }
        state.withLock { $0.waiting -= min(bytes.count, $0.waiting) }
    }

    private func fail(_ failure: VoiceTraceError) {
        let listener = state.withLock { state in
            state.failure = failure
            state.isOver = true
            defer { state.listener = nil }
            return state.listener
        }
        listener?(failure)
    }

    /// True if a file is empty or begins like a trace of this version.
    private static func isTrace(_ descriptor: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return count == 0
            || count > 0 && bytes.starts(with: Array("{\"\(VoiceTrace.mark)\":\(VoiceTrace.version),".utf8))
    }

    /// True if its last line says that it is full.
    private static func isFull(_ descriptor: Int32, _ size: off_t) -> Bool {
        var bytes = [UInt8](repeating: 0, count: last.count)
        return pread(descriptor, &bytes, bytes.count, max(size - off_t(last.count), 0)) == last.count && bytes == last
    }

    private static func failure(_ path: String, _ number: Int32) -> EchoError {
        .invalidConfiguration(
            "The trace \(path) cannot be written: \(String(cString: strerror(number))). Name a file in a folder that "
                + "exists, with free space.")
    }
}
