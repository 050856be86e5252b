// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Networking
import Security

/// Posts events to the operator's hook, signed by Standard Webhooks 1.0.0: the signature is over id, time and content, so
/// that neither can be exchanged and an old request cannot be sent again later.
struct HookClient: Sendable {
    /// The most bytes of an answer that are read.
    private static let answerLimit = 16 << 10

    let url: URL
    let secret: HookSecret
    /// The longest time of a request, its connection included.
    let timeLimit: Duration
    let transport: any HTTPTransport
    let clock: AuthClock

    /// Posts an event.
    ///
    /// - Parameter id: The same for a repetition, so that the hook can drop it.
    /// - Throws: `NetworkError` without an answer.
    func post(_ body: [UInt8], id: String) async throws -> (status: Int, body: [UInt8]) {
        let time = "\(clock.now().seconds)"
        var request = HTTPRequest(
            .post, url,
            headers: [
                "Content-Type": "application/json", "webhook-id": id, "webhook-timestamp": time,
                "webhook-signature": try Self.signature(of: body, id: id, time: time, secret),
            ], body: .bytes(body))
        request.redirects = .stop
        request.maximumResponseBytes = Self.answerLimit
        request.timeouts = HTTPTimeouts(
            connect: timeLimit, firstByte: timeLimit, idle: timeLimit, whole: timeLimit)
        request.options.isAuthorized = false
        let response = try await transport.send(request)
        return (response.status, try await response.body.collect(upTo: Self.answerLimit))
    }

    static func signature(of body: [UInt8], id: String, time: String, _ secret: HookSecret) throws -> String {
        let signed = Array("\(id).\(time).".utf8) + body
        let code = try secret.key.withExposed { try HMACSHA256.code(for: signed, key: $0) }
        return "v1," + Data(code).base64EncodedString()
    }
}

/// The content of a request to the hook.
struct HookMessage<Content: Encodable>: Encodable {
    let type: String
    let timestamp: String
    let data: Content

    init(_ type: String, at time: AuthTime, _ data: Content) {
        (self.type, timestamp, self.data) = (type, Self.text(of: time), data)
    }

    /// RFC 3339, in UTC.
    static func text(of time: AuthTime) -> String {
        Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000).formatted(.iso8601)
    }

    func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(self))
    }
}
