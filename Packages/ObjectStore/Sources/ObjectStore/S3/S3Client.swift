// SPDX-License-Identifier: MIT

import Concurrency
import Digests
import FoundationEssentials
import Networking

/// Sends requests to a bucket: signs them, repeats them, and makes errors of refusals.
struct S3Client: Sendable {
    /// The most bytes of an answer that is no object: a page of 1,000 keys.
    static let answerLimit = 8 << 20
    private static let errorLimit = 64 << 10
    /// The difference of the clocks, in seconds, that a refusal is blamed on. Amazon allows 15 minutes.
    private static let tolerance = 300.0

    let address: S3Address
    let credentials: S3CredentialCache
    let signing: S3SigningTransport
    private let http: HTTPClient
    let bucket: String
    private let clock: ClientClock
    /// True if a body that is not signed cannot be changed on the way.
    private let isProtected: Bool

    init(
        _ configuration: S3Configuration, _ source: S3CredentialSource, over transport: any HTTPTransport,
        clock: ClientClock, random: any RandomNumberGenerator & Sendable
    ) {
        address = S3Address(configuration)
        credentials = S3CredentialCache(source, now: clock.date)
        signing = S3SigningTransport(
            next: transport, credentials: credentials, region: configuration.region, host: address.host, clock: clock)
        var stages = HTTPClient.Configuration()
        stages.retry = configuration.retry
        // The store decides on each request, and says so by 503.
        (stages.circuitBreaker, stages.rateLimits) = (nil, nil)
        http = HTTPClient(transport: signing, configuration: stages, clock: clock, random: random)
        (bucket, self.clock) = (configuration.bucket, clock)
        isProtected =
            configuration.endpoint.scheme == "https"
            || CurlTransport.Configuration.loopbackHosts.contains(configuration.endpoint.host() ?? "")
    }

    /// A request of S3's API.
    struct Call {
        /// The right that it needs, for messages.
        var action: String
        var method: HTTPMethod
        /// The name in the bucket; nil for the bucket itself.
        var name: String?
        /// Names and values; neither is encoded.
        var query: [(name: String, value: String)] = []
        var headers: HTTPHeaders = [:]
        var content: ObjectContent?
        /// The key, for messages.
        var key: ObjectKey?
    }

    /// The response, whose status is a success.
    ///
    /// - Throws: ``ObjectStoreError``.
    func send(_ call: Call) async throws -> HTTPResponse {
        let request = try await request(call)
        var (hasAdjusted, hasReplaced) = (false, false)
        while true {
            let used = try await credentials.credentials()
            let response: HTTPResponse
            do { response = try await http.send(request) } catch let error as NetworkError {
                throw ObjectStoreError.ofNetwork(error)
            }
            if response.isSuccess { return response }
            let body = try? await response.body.collect(upTo: Self.errorLimit)
            let refusal = S3Refusal(status: response.status, body: body ?? [], headers: response.headers)
            let canRepeat = call.content?.isRepeatable ?? true
            if canRepeat, !hasAdjusted, refusal.status == 403, adjustClock(response.headers["Date"]) {
                hasAdjusted = true
            } else if canRepeat, !hasReplaced, refusal.concernsCredentials, try await credentials.replace(used) {
                hasReplaced = true
            } else {
                throw refusal.error(action: call.action, key: call.key, bucket: bucket)
            }
        }
    }

    /// The whole body of a response.
    func answer(_ call: Call) async throws -> [UInt8] {
        let response = try await send(call)
        do { return try await response.body.collect(upTo: Self.answerLimit) } catch let error as NetworkError {
            throw ObjectStoreError.ofNetwork(error)
        }
    }

    private func request(_ call: Call) async throws -> HTTPRequest {
        let query = call.query.map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value)) }
        let url = try address.url(of: call.name, query: SignatureV4.text(of: query.map { (name: $0, value: $1) }))
        var request = HTTPRequest(call.method, url, headers: call.headers)
        // The bytes as they are stored.
        request.headers["Accept-Encoding"] = "identity"
        request.headers["x-amz-content-sha256"] = try await payload(of: call.content)
        if let content = call.content {
            if content.length == 0 {
                for try await _ in content.chunks {}
                request.body = .bytes([])
            } else {
                request.body = .stream(
                    HTTPBodyStream(content.chunks, length: content.length, isRepeatable: content.isRepeatable))
            }
        }
        // A redirect leads to another region, for which the signature is not good.
        request.redirects = .stop
        // POST, too: a second upload that is begun costs nothing, and a second completion changes nothing.
        request.options.isRepeatable = true
        return request
    }

    /// The hash that is signed. A body that can be read twice is read once for it, so that the store checks each byte.
    private func payload(of content: ObjectContent?) async throws -> String {
        guard let content else { return Hexadecimal.text(try MessageDigest.hash([], .sha256)) }
        if content.isRepeatable || content.sha256 != nil { return Hexadecimal.text(try await content.hash()) }
        guard isProtected else {
            throw ObjectStoreError(
                code: .invalidConfiguration,
                message: "Over plain http, content that can be read only once needs its SHA-256. Use https or give it.")
        }
        return SignatureV4.unsignedPayload
    }

    /// Learns the store's time from a refusal.
    ///
    /// - Returns: True if the clocks differ by so much that a signature was refused for it.
    private func adjustClock(_ text: String?) -> Bool {
        let now = clock.date()
        guard let text, let date = HTTPDate(text, now: now)?.date else { return false }
        let difference = date.timeIntervalSince(now)
        return signing.skew.withLock { skew in
            guard abs(difference - skew) > Self.tolerance else { return false }
            skew = difference
            return true
        }
    }
}
