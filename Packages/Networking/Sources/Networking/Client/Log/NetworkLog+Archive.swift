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
        return HTTPArchive.Entry(
            startedDateTime: exchange.started.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            time: max(exchange.duration.inMilliseconds, timings.total.inMilliseconds),
            request: .init(
                method: exchange.method.rawValue, url: exchange.url, httpVersion: version,
                headers: pairs(exchange.requestHeaders), queryString: query(exchange.url),
                bodySize: exchange.summary.bytesSent),
            response: .init(
                status: exchange.status ?? 0, httpVersion: version, headers: pairs(exchange.responseHeaders),
                content: .init(
                    size: exchange.contentBytes, mimeType: exchange.responseHeaders["Content-Type"] ?? ""),
                redirectURL: exchange.responseHeaders["Location"] ?? "", bodySize: exchange.summary.bytesReceived),
            timings: phases(timings, isNew: exchange.summary.isNewConnection),
            serverIPAddress: exchange.summary.remoteAddress, comment: comment)
    }

    private static func phases(_ timings: HTTPTimings, isNew: Bool) -> HTTPArchive.Timings {
        let connected = max(timings.connected, timings.secured)
        let ready = isNew ? connected : .zero
        func span(_ from: Duration, _ to: Duration) -> Double { max(0, (to - from).inMilliseconds) }
        return HTTPArchive.Timings(
            blocked: span(ready, timings.requestStarted), dns: isNew ? timings.resolved.inMilliseconds : -1,
            connect: isNew ? span(timings.resolved, connected) : -1,
            ssl: isNew && timings.secured > .zero ? span(timings.connected, timings.secured) : -1, send: 0,
            wait: span(timings.requestStarted, timings.firstByte), receive: span(timings.firstByte, timings.total))
    }

    private static func query(_ url: String) -> [HTTPArchive.Pair] {
        (URLComponents(string: url)?.queryItems ?? []).map { .init(name: $0.name, value: $0.value ?? "") }
    }
}

extension Duration {
    fileprivate var inMilliseconds: Double { inSeconds * 1000 }
}
