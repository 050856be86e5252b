// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Glibc

/// The source of libcurl's read callback for a request's body. Used on the loop's thread, but for `supply` and
/// `finish`.
///
/// SAFETY: the mutable fields outside the mutex are touched on the loop's thread only.
final class UploadSource: @unchecked Sendable {
    /// The result of a read.
    enum Read {
        case bytes(Int)
        /// No bytes are there yet; `supply` will let libcurl continue.
        case wait
        case failure(NetworkError)
    }

    private struct Supply {
        var chunk: [UInt8] = []
        var offset = 0
        var isFinished = false
        var failure: NetworkError?
        var isAwaited = false
        var consumed: CheckedContinuation<Void, Never>?
    }

    private enum Content {
        case bytes([UInt8])
        case file(descriptor: Int32)
        case stream
    }

    /// The number of bytes, if it is known.
    let length: Int?
    /// The stream to pump, if there is one.
    let stream: HTTPBodyStream?
    private let content: Content
    private let supply = Guarded(Supply())
    private var position = 0

    /// Opens the body.
    ///
    /// - Returns: `nil` for no body.
    /// - Throws: `NetworkError` with the code `file`.
    init?(_ body: HTTPBody) throws {
        switch body {
        case .none: return nil
        case .bytes(let bytes):
            (content, length, stream) = (.bytes(bytes), bytes.count, nil)
        case .stream(let stream):
            (content, length, self.stream) = (.stream, stream.length, stream)
        case .file(let path):
            let descriptor = path.utf8.contains(0) ? -1 : Glibc.open(path, O_RDONLY | O_CLOEXEC)
            var status = stat()
            guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                if descriptor >= 0 { Glibc.close(descriptor) }
                throw NetworkError(code: .file, message: "The file to send cannot be read. Check its path and rights.")
            }
            (content, length, stream) = (.file(descriptor: descriptor), Int(status.st_size), nil)
        }
    }

    deinit {
        if case .file(let descriptor) = content { Glibc.close(descriptor) }
    }

    // MARK: The loop's side

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Read {
        switch content {
        case .bytes(let bytes):
            let count = min(buffer.count, bytes.count - position)
            bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[position..<(position + count)])) }
            position += count
            return .bytes(count)
        case .file(let descriptor):
            let wanted = min(buffer.count, (length ?? 0) - position)
            guard wanted > 0 else { return .bytes(0) }
            let count = pread(descriptor, buffer.baseAddress, wanted, off_t(position))
            guard count > 0 else {
                return .failure(NetworkError(code: .file, message: "The file became shorter while it was being sent."))
            }
            position += count
            return .bytes(count)
        case .stream: return readStream(into: buffer)
        }
    }

    private func readStream(into buffer: UnsafeMutableRawBufferPointer) -> Read {
        let (result, consumed) = supply.withLock { supply -> (Read, CheckedContinuation<Void, Never>?) in
            if let failure = supply.failure { return (.failure(failure), nil) }
            let count = min(buffer.count, supply.chunk.count - supply.offset)
            guard count > 0 else {
                if supply.isFinished {
                    return (position < length ?? 0 ? .failure(Self.wrongLength) : .bytes(0), nil)
                }
                supply.isAwaited = true
                return (.wait, nil)
            }
            // libcurl 8 asks for no more than the length, so what is left of the piece is looked at.
            let left = supply.chunk.count - supply.offset
            guard position + left <= length ?? .max else { return (.failure(Self.wrongLength), nil) }
            supply.chunk.withUnsafeBytes {
                buffer.copyMemory(from: .init(rebasing: $0[supply.offset..<(supply.offset + count)]))
            }
            supply.offset += count
            position += count
            guard supply.offset == supply.chunk.count else { return (.bytes(count), nil) }
            supply.chunk = []
            supply.offset = 0
            defer { supply.consumed = nil }
            return (.bytes(count), supply.consumed)
        }
        consumed?.resume()
        return result
    }

    /// Rewinds for libcurl's own second attempt on a fresh connection.
    ///
    /// - Returns: True if that is possible.
    func seek(to offset: Int) -> Bool {
        if case .stream = content { return offset == position }
        position = offset
        return true
    }

    var progress: HTTPUploadProgress { HTTPUploadProgress(sentBytes: position, totalBytes: length) }

    var isAtEnd: Bool {
        if let length, position >= length { return true }
        return supply.withLock { $0.isFinished && $0.chunk.isEmpty }
    }

    // MARK: The pump's side

    /// Leaves a chunk and waits until it was taken.
    func supply(_ chunk: [UInt8], wake: @Sendable () -> Void) async throws {
        try Task.checkCancellation()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isAwaited, isOver) = supply.withLock { supply in
                    guard !supply.isFinished else { return (false, true) }
                    supply.chunk = chunk
                    supply.offset = 0
                    supply.consumed = continuation
                    defer { supply.isAwaited = false }
                    return (supply.isAwaited, false)
                }
                if isAwaited { wake() }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            // Without an error, libcurl would take this for the body's end.
            finish(.bodyFailed(CancellationError()), wake: wake)
        }
        try Task.checkCancellation()
    }

    /// Marks the end of the body.
    func finish(_ failure: NetworkError?, wake: @Sendable () -> Void) {
        let (isAwaited, consumed) = supply.withLock { supply in
            supply.isFinished = true
            supply.failure = supply.failure ?? failure
            defer { (supply.isAwaited, supply.consumed) = (false, nil) }
            return (supply.isAwaited, supply.consumed)
        }
        consumed?.resume()
        if isAwaited { wake() }
    }

    private static var wrongLength: NetworkError {
        NetworkError(
            code: .requestBody,
            message: "The body's stream gave more or fewer bytes than its length says. Correct the length.")
    }
}

extension NetworkError {
    static func bodyFailed(_ cause: any Error) -> NetworkError {
        NetworkError(code: .requestBody, message: "The body's stream failed.", underlying: cause)
    }
}
