// SPDX-License-Identifier: MIT

import CCurl
import Concurrency
import FoundationEssentials

// The work of the loop's thread on a transfer.
extension CurlTransfer {
    func start(_ easy: CurlEasy, in core: CurlLoopCore) throws {
        guard !channel.isOver else { throw CancellationError() }
        self.easy = easy
        self.core = core
        clock.enter(.connection, at: .now)
        easy.setTransfer(self)
    }

    /// CURLE_TOO_LARGE, which the headers of Debian 12 do not have.
    private static let tooLarge: UInt32 = 100

    func complete(_ result: CURLcode) -> Bool {
        guard let easy else { return true }
        if let failure {
            end = .failure(failure)
        } else if result == CURLE_OUT_OF_MEMORY || result.rawValue == Self.tooLarge, !isHeadDelivered, head == nil,
            clock.phase == .firstByte
        {
            // libcurl's limit for one line, which has no code of its own before 8.6.
            end = .failure(NetworkError.headerTooLarge("A line of the response's header is over 100 KB"))
        } else if result != CURLE_OK {
            end = .failure(
                NetworkError(
                    curl: result, on: easy, timeouts: timeouts, host: request.url.host(percentEncoded: false),
                    route: route, configuration: configuration))
        } else if head == nil, !isHeadDelivered {
            end = .failure(NetworkError(code: .invalidResponse, message: "The server sent no response. Try again."))
        } else {
            end = .success(())
        }
        flush()
        stop()
        return true
    }

    func flush() {
        isChanged = false
        let summary = end != nil || head != nil ? summary() : nil
        if let summary, head != nil {
            head?.timings = summary.timings
            isHeadDelivered = true
        }
        let isDrained = channel.deliver(
            head: head, chunk: &received, end: end, summary: summary, holdsBack: isReceivingPaused)
        head = nil
        if isDrained, isReceivingPaused, end == nil { resume(receiving: true) }
    }

    var deadline: MonotonicTime? { clock.deadline }

    func expire(at now: MonotonicTime) -> NetworkError? { clock.expired(at: now) }

    func fail(_ error: any Error) {
        end = .failure(failure ?? error)
        flush()
        stop()
    }

    func release() -> CurlEasy? {
        core = nil
        defer { easy = nil }
        return easy
    }

    /// Resumes receiving or sending in libcurl after a pause.
    func resume(receiving: Bool) {
        guard let easy, end == nil else { return }
        if receiving { isReceivingPaused = false } else { isSendingPaused = false }
        clock.hold(isReceivingPaused || isSendingPaused, at: .now)
        noteChange()
        // All bytes that libcurl kept are taken now: it tells an HTTP/2 server to send on as if they were not there, so
        // bytes left with it would grow with every pause, up to a limit at which libcurl fails.
        isTakingAll = receiving
        ccurl_pause(easy.handle, isReceivingPaused ? 1 : 0, isSendingPaused ? 1 : 0)
        isTakingAll = false
    }

    func noteChange() {
        guard !isChanged else { return }
        isChanged = true
        core?.noteChange(of: self)
    }

    // MARK: libcurl's callbacks

    func requestStarts() {
        clock.enter(.firstByte, at: .now)
        noteChange()
    }

    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        noteChange()
        switch parser.push(line) {
        case .more, .interim:
            clock.noteActivity(at: .now)
        case .head(let head):
            clock.enter(.moreBytes, at: .now)
            self.head = head
        case .trailer(let field):
            clock.noteActivity(at: .now)
            trailers.add(name: field.name, value: field.value)
        case .tooLarge(let limit):
            failure = .headerTooLarge("The response's header is over \(limit) bytes")
            return false
        case .failure(let message):
            failure = NetworkError(code: .invalidResponse, message: message + ". The server has a fault.")
            return false
        }
        return true
    }

    /// - Returns: `nil` to pause, false to abort.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool? {
        noteChange()
        let now = MonotonicTime.now
        if let maximumBytes, receivedCount + bytes.count > maximumBytes {
            failure = .responseTooLarge(limit: maximumBytes)
            return false
        }
        if !isTakingAll, received.count + channel.unread >= Self.highWaterMark {
            isReceivingPaused = true
            clock.hold(true, at: now)
            return nil
        }
        clock.noteActivity(at: now)
        receivedCount += bytes.count
        received.append(contentsOf: bytes)
        // Handed on in between, so that the array does not grow by copying itself.
        if isTakingAll, received.count >= Self.highWaterMark { channel.append(&received) }
        return true
    }

    /// - Returns: The number of bytes that were read, `nil` to pause, or -1 to abort.
    func readBody(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard let upload else { return 0 }
        noteChange()
        switch upload.read(into: buffer) {
        case .bytes(let count):
            clock.noteActivity(at: .now)
            if count > 0 { request.onUpload?(upload.progress) }
            return count
        case .wait:
            isSendingPaused = true
            clock.hold(true, at: .now)
            return nil
        case .failure(let error):
            failure = error
            return -1
        }
    }

    /// True if libcurl may send the body a second time on a fresh connection, after a kept one turned out dead.
    func rewind(to offset: Int) -> Bool {
        let mayRepeat =
            request.options.isRepeatable
            ?? (request.method.isIdempotent || request.headers.contains(name: "Idempotency-Key"))
        return mayRepeat && upload?.seek(to: offset) == true
    }

    // MARK: What libcurl measured

    private func timings() -> HTTPTimings {
        guard let easy else { return HTTPTimings() }
        func time(_ info: CURLINFO) -> Duration { .microseconds(easy.offset(info)) }
        return HTTPTimings(
            resolved: time(CURLINFO_NAMELOOKUP_TIME_T), connected: time(CURLINFO_CONNECT_TIME_T),
            secured: time(CURLINFO_APPCONNECT_TIME_T), requestStarted: time(CURLINFO_PRETRANSFER_TIME_T),
            firstByte: time(CURLINFO_STARTTRANSFER_TIME_T), total: time(CURLINFO_TOTAL_TIME_T))
    }

    private func summary() -> HTTPTransferSummary {
        guard let easy else { return HTTPTransferSummary() }
        return HTTPTransferSummary(
            timings: timings(), bytesReceived: Int(easy.offset(CURLINFO_SIZE_DOWNLOAD_T)),
            bytesSent: Int(easy.offset(CURLINFO_SIZE_UPLOAD_T)), remoteAddress: easy.string(CURLINFO_PRIMARY_IP),
            isNewConnection: easy.long(CURLINFO_NUM_CONNECTS) > 0, trailers: trailers)
    }
}
