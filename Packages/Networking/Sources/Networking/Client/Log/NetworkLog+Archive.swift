// SPDX-License-Identifier: MIT

import FoundationEssentials

extension NetworkLog {
    /// The log as an HTTP Archive 1.2 in JSON, which browsers' developer tools open.
    ///
    /// - Throws: `NetworkError` with the code `other` if a value cannot be encoded.
    public func archive() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(HTTPArchive(log: .init(entries: exchanges.map(Self.entry)))))
        } catch {
            throw NetworkError(code: .other, message: "The log could not be written as an archive.", underlying: error)
        }
    }

    private static func entry(_ exchange: NetworkExchange) -> HTTPArchive.Entry {
        // The format demands an address without a fragment, which is never sent either.
        let url = String(exchange.url.prefix { $0 != "#" })
        let version = exchange.version?.description ?? "unknown"
        let timings = exchange.summary.timings
        func pairs(_ headers: HTTPHeaders) -> [HTTPArchive.Pair] {
            headers.map { .init(name: $0.name, value: $0.value) }
        }
        var comment: String?
        switch exchange.outcome {
        case .complete: break
        case .dropped: comment = "dropped"
        case .cancelled: comment = "cancelled"
        case .failed(let code, let message): comment = "\(code): \(message)"
        }
        let phases = phases(timings, isNew: exchange.summary.isNewConnection, duration: exchange.duration)
        return HTTPArchive.Entry(
            startedDateTime: exchange.started.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            time: phases.sum,
            request: .init(
                method: exchange.method.rawValue, url: url, httpVersion: version,
                headers: pairs(exchange.requestHeaders), queryString: query(url),
                bodySize: exchange.summary.bytesSent),
            response: .init(
                status: exchange.status ?? 0, httpVersion: version, headers: pairs(exchange.responseHeaders),
                content: .init(
                    size: exchange.contentBytes, mimeType: exchange.responseHeaders["Content-Type"] ?? ""),
                redirectURL: exchange.responseHeaders["Location"] ?? "",
                bodySize: exchange.status == nil ? -1 : exchange.summary.bytesReceived),
            timings: phases,
            serverIPAddress: exchange.summary.remoteAddress, comment: comment)
    }

    /// The phases. The rest of the duration was spent in a queue on this side, which the format calls blocked.
    private static func phases(_ timings: HTTPTimings, isNew: Bool, duration: Duration) -> HTTPArchive.Timings {
        let connected = isNew ? max(timings.connected, timings.secured) : .zero
        var ends = [isNew ? timings.resolved : .zero, connected, timings.requestStarted, timings.firstByte]
        // A transfer that failed was still in the phase after the last one that ended.
        let next = (ends.lastIndex { $0 > .zero } ?? -1) + 1
        for index in next..<ends.count { ends[index] = timings.total }
        ends.append(timings.total)
        var start = Duration.zero
        let spans = ends.map { end in
            defer { start = max(start, end) }
            return max(.zero, end - start).inMilliseconds
        }
        let queued = max(.zero, duration - start).inMilliseconds
        let hasTLS = isNew && timings.secured > timings.connected
        return HTTPArchive.Timings(
            blocked: spans[2] + queued, dns: isNew ? spans[0] : -1, connect: isNew ? spans[1] : -1,
            ssl: hasTLS ? min(spans[1], (timings.secured - timings.connected).inMilliseconds) : -1, send: 0,
            wait: spans[3], receive: spans[4])
    }

    private static func query(_ url: String) -> [HTTPArchive.Pair] {
        (URLComponents(string: url)?.queryItems ?? []).map { .init(name: $0.name, value: $0.value ?? "") }
    }
}

extension Duration {
    /// With three decimals, which is more than the clocks' precision.
    fileprivate var inMilliseconds: Double { (inSeconds * 1e6).rounded() / 1000 }
}
