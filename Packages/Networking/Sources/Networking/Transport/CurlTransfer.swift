// SPDX-License-Identifier: MIT

import CCurl
import Concurrency
import Diagnostics
import FoundationEssentials

/// One exchange over libcurl, redirects excluded.
///
/// SAFETY: the mutable fields are touched on the loop only (see `CurlLoopCore`); `pump` is inside a mutex.
final class CurlTransfer: @unchecked Sendable, CurlLoopMember {
    /// The number of unread bytes above which libcurl has to wait for the reader.
    static let highWaterMark = 256 << 10

    let request: HTTPRequest
    let configuration: CurlTransport.Configuration
    let route: ProxyRoute
    let timeouts: HTTPTimeouts
    let channel = TransferChannel()
    let upload: UploadSource?
    let maximumBytes: Int?
    let address: String
    let connectionKey: Int?
    private let loop: CurlEventLoop
    private let pump = Guarded<Task<Void, Never>?>(nil)

    var easy: CurlEasy?
    var core: CurlLoopCore?
    var parser = ResponseHeadParser()
    var head: ResponseHead?
    var received: [UInt8] = []
    var receivedCount = 0
    var failure: NetworkError?
    var end: Result<Void, any Error>?
    var trailers: HTTPHeaders = [:]
    var isHeadDelivered = false
    var isChanged = false
    var isReceivingPaused = false
    /// True while libcurl hands over the bytes that it kept during a pause.
    var isTakingAll = false
    var isSendingPaused = false
    var clock: TransferClock

    /// An exchange; `run` starts it.
    init(
        _ request: HTTPRequest, configuration: CurlTransport.Configuration, route: ProxyRoute, timeouts: HTTPTimeouts,
        loop: CurlEventLoop, wholeDeadline: MonotonicTime?
    ) throws {
        self.request = request
        self.configuration = configuration
        self.route = route
        self.timeouts = timeouts
        self.loop = loop
        maximumBytes = request.maximumResponseBytes ?? configuration.maximumResponseBytes
        upload = try UploadSource(request.body)
        address = request.url.absoluteString
        // The source of a body may block: a file, or a stream that has not begun.
        connectionKey = upload == nil ? Self.connectionKey(of: address) : nil
        clock = TransferClock(timeouts: timeouts, wholeDeadline: wholeDeadline)
    }

    // Scheme, host and port, as a number; a collision does no harm.
    private static func connectionKey(of address: String) -> Int {
        var slashes = 0
        var hasher = Hasher()
        for byte in address.utf8 {
            if byte == UInt8(ascii: "/") { slashes += 1 }
            if slashes == 3 { break }
            hasher.combine(byte)
        }
        return hasher.finalize()
    }

    // MARK: The task's side

    /// Sends the request and waits for the response's header.
    func run() async throws -> HTTPResponse {
        let head = try await withTaskCancellationHandler {
            try Task.checkCancellation()
            guard loop.submit(.start(self)) else {
                throw NetworkError(code: .closed, message: "The transport was closed. Make a new one.")
            }
            startPump()
            return try await channel.waitForHead()
        } onCancel: {
            cancel()
        }
        return HTTPResponse(
            status: head.status, headers: head.headers, url: request.url, version: head.version,
            timings: head.timings, body: HTTPResponseBody(source: TransferBody(self)))
    }

    /// Ends the transfer and closes its connection, or its stream in HTTP/2.
    func cancel() {
        _ = channel.end(with: CancellationError())
        stop()
        loop.submit(.cancel(self))
    }

    func nextChunk() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await channel.waitForChunk { [self] in
                loop.submit(.run { [self] in resume(receiving: true) })
            }
        } onCancel: {
            cancel()
        }
    }

    private func startPump() {
        guard let upload, let stream = upload.stream else { return }
        let wake: @Sendable () -> Void = { [weak self] in
            guard let self else { return }
            loop.submit(.run { [self] in resume(receiving: false) })
        }
        let task = Task {
            do {
                try await stream.read { try await upload.supply($0, wake: wake) }
                upload.finish(nil, wake: wake)
            } catch {
                upload.finish(.bodyFailed(error), wake: wake)
            }
        }
        pump.withLock { $0 = task }
        // The transfer may have ended before the task was stored.
        if channel.isOver { stop() }
    }

    func stop() {
        pump.withLock { $0.take() }?.cancel()
    }
}

/// A response's body; dropping it closes the transfer.
final class TransferBody: HTTPBodySource {
    private let transfer: CurlTransfer

    init(_ transfer: CurlTransfer) {
        self.transfer = transfer
    }

    deinit {
        if !transfer.channel.isOver { transfer.cancel() }
    }

    var summary: HTTPTransferSummary { transfer.channel.summary }

    func next() async throws -> [UInt8]? {
        try await transfer.nextChunk()
    }
}
