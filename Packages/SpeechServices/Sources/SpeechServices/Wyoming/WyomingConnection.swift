// SPDX-License-Identifier: MIT

import Concurrency
import Networking
import StructuredJSON

/// A connection to a Wyoming server: frames out, frames in. One reader and one writer at a time.
final class WyomingConnection: Sendable {
    private struct Incoming {
        var count = 0
        var parser = WyomingFrameParser()
        var frames: ArraySlice<WyomingFrame> = []
    }

    private let stream: any ByteStream
    private let service: WyomingService
    private let limit: Int
    private let incoming = Guarded(Incoming())

    /// - Parameter limit: The most bytes that the server may send.
    init(stream: any ByteStream, service: WyomingService, limit: Int) {
        self.stream = stream
        self.service = service
        self.limit = limit
    }

    /// Sends frames at once; the connection is closed when the task is cancelled meanwhile, since writing cannot be.
    func send(_ frames: WyomingFrame...) async throws { try await send(frames) }

    func send(_ frames: [WyomingFrame]) async throws {
        let bytes: [UInt8]
        do { bytes = try frames.flatMap { try $0.bytes() } } catch {
            throw SpeechServiceError(.tooLarge, "A piece for \(service.name) is too large. Send less at once.")
        }
        try await withTaskCancellationHandler {
            try await stream.write(bytes)
        } onCancel: {
            stream.close()
        }
    }

    /// The next frame that answers; others, such as `ping`, are passed over.
    ///
    /// - Parameters:
    ///   - limit: The longest wait for it.
    ///   - start: Returns when that time starts to count; at once if nil.
    ///   - isAnswer: True for a frame that is waited for.
    /// - Throws: ``SpeechServiceError``: `cut` at the end of the stream, `serverFailed` for the server's `error`,
    ///   `tooLarge`; the errors of `isAnswer`.
    func receive(
        within limit: Duration, from start: (@Sendable () async throws -> Void)? = nil,
        _ isAnswer: @escaping @Sendable (WyomingFrame) throws -> Bool
    ) async throws -> WyomingFrame {
        try await withStallLimit(limit, clock: service.clock, from: start) { [self] in
            while true {
                let frame = try await next()
                if try isAnswer(frame) { return frame }
            }
        }
    }

    private func next() async throws -> WyomingFrame {
        while true {
            if let frame = incoming.withLock({ $0.frames.popFirst() }) {
                if frame.type == "error" { throw failure(frame) }
                return frame
            }
            let bytes = try await stream.read()
            guard !bytes.isEmpty else { throw SpeechServiceError.cut(service.name) }
            try incoming.withLock { incoming in
                incoming.count += bytes.count
                guard incoming.count <= limit else { throw SpeechServiceError.tooLarge(service.name, limit: limit) }
                do throws(WyomingFrameError) {
                    incoming.frames += try incoming.parser.parse(bytes)
                } catch {
                    throw SpeechServiceError.invalidResponse(service.name, error.description)
                }
            }
        }
    }

    /// The error for a server's `error` event: `{text, code?}`, whose codes are the server's own.
    private func failure(_ frame: WyomingFrame) -> SpeechServiceError {
        let words = SpeechServiceError.oneLine(frame.data["text"]?.string ?? "", nil)
        let code = (frame.data["code"]?.string ?? "").lowercased()
        if code.contains("voice") {
            return SpeechServiceError(
                .voiceMissing, "\(service.name) has no such voice. List its voices and choose another one.",
                underlying: words)
        }
        return SpeechServiceError(
            .serverFailed, "\(service.name) has failed. Look into its log, and try again.", underlying: words)
    }
}
