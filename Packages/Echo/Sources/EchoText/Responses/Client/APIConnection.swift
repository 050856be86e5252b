// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials
package import Networking

/// The connection to one server: its address, the key, and the stages for retries and limits. All clients of one
/// ``Echo`` share it.
package final class APIConnection: Sendable {
    package let configuration: EchoConfiguration
    package let meter: UsageMeter
    package let clock: ClientClock
    private let key: APIKey
    /// The transport of the requests. It opens voice sessions if it can.
    package let transport: any HTTPTransport
    private let client: HTTPClient
    let limiter: RateLimiter
    private let lastRateLimits = Guarded<RateLimitStatus?>(nil)
    private let random: Guarded<any RandomNumberGenerator & Sendable>

    package init(
        key: String, configuration: EchoConfiguration, clock: ClientClock = .system,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.key = APIKey(key)
        self.configuration = configuration
        self.clock = clock
        self.random = Guarded(random)
        meter = UsageMeter(
            prices: configuration.prices, voicePrices: configuration.voicePrices, budget: configuration.budget)
        transport = Self.transport(configuration)
        var stages = HTTPClient.Configuration()
        stages.retry = configuration.retry
        // The stage below replaces it: it knows tokens and models, and says that it waits.
        stages.rateLimits = nil
        limiter = RateLimiter(configuration.requestLimits, clock: clock)
        client = HTTPClient(
            transport: RateLimitedTransport(
                next: QuotaTransport(next: transport, key: self.key), limiter: limiter),
            configuration: stages, clock: clock, random: random)
    }

    /// The server's last word on its rate limits.
    var rateLimits: RateLimitStatus? { lastRateLimits.withLock { $0 } }

    /// The time for which the circuit breaker fails each request at once; nil if one may be sent now.
    var pause: Duration? {
        URL(string: configuration.endpoint.baseURL).flatMap { client.circuitPause(to: $0) }
    }

    /// A new id, for a thing to which the server gives no id.
    func identifier(_ prefix: String) -> String {
        random.withLock { random in prefix + String(random.next() as UInt64, radix: 36) }
    }

    /// A request for a path below the endpoint's address.
    ///
    /// - Throws: ``EchoError/invalidConfiguration(_:)``.
    package func request(
        _ method: HTTPMethod, _ path: String, query: String? = nil, body: JSONValue? = nil
    ) throws(EchoError) -> HTTPRequest {
        let base = configuration.endpoint.baseURL
        let address = (base.hasSuffix("/") ? String(base.dropLast()) : base) + path + (query.map { "?" + $0 } ?? "")
        guard let host = URL(string: base)?.host(percentEncoded: false), !host.isEmpty, let url = URL(string: address)
        else {
            throw .invalidConfiguration("EchoEndpoint.baseURL is no address. Give one like https://api.openai.com/v1.")
        }
        guard url.scheme == "https" || Self.isLocal(host) || configuration.endpoint.allowsPlainHTTP else {
            throw .invalidConfiguration(
                "Plain http to \(host) would show the key to everybody on the way. Use https, or set allowsPlainHTTP.")
        }
        guard !key.isEmpty || configuration.endpoint.baseURL != EchoEndpoint.openAI.baseURL else {
            throw .invalidConfiguration("There is no API key. Give Echo(key:) one, or an endpoint that needs none.")
        }
        var request = HTTPRequest(method, url)
        for (name, value) in configuration.endpoint.headers.sorted(by: { $0.key < $1.key }) {
            request.headers[name] = value
        }
        if !key.isEmpty { request.headers["Authorization"] = key.authorization }
        request.headers["Accept"] = "application/json"
        if let body {
            request.headers["Content-Type"] = "application/json"
            request.body = .bytes(body.bytes)
        }
        request.redirects = .stop
        request.options.caching = .none
        request.timeouts = HTTPTimeouts(
            firstByte: configuration.responseTimeout, idle: configuration.responseTimeout)
        return request
    }

    /// Sends the request, and returns when a successful response begins.
    ///
    /// - Parameter model: The model whose rate limits count; `nil` for a request without limits.
    /// - Throws: ``EchoError``, `CancellationError`.
    func open(_ request: HTTPRequest, model: String? = nil) async throws -> HTTPResponse {
        do {
            let response = try await RateLimiter.$share.withValue(model.map { share(of: request, model: $0) }) {
                try await client.send(request)
            }
            lastRateLimits.withLock { $0 = RateLimitStatus(response.headers) }
            guard response.isSuccess else {
                let body = try await APIFailure.body(of: response)
                throw EchoError(key.redact(APIFailure(response, body: body)))
            }
            return response
        } catch {
            throw map(error)
        }
    }

    /// Sends the request, and reads the JSON of the response.
    ///
    /// - Throws: ``EchoError``, `CancellationError`.
    func json(_ request: HTTPRequest, model: String? = nil) async throws -> JSONValue {
        let response = try await open(request, model: model)
        let bytes: [UInt8]
        do { bytes = try await response.body.collect() } catch { throw map(error) }
        return try json(bytes, requestID: response.headers["x-request-id"])
    }

    /// The JSON of a successful response. An error is thrown even if the server sent it with 200, as some do.
    ///
    /// - Throws: ``EchoError``.
    func json(_ bytes: [UInt8], requestID: String?) throws(EchoError) -> JSONValue {
        let json: JSONValue
        do throws(JSONParsingError) {
            json = try JSONValue(parsing: bytes)
        } catch {
            throw .malformedResponse(error.description, requestID: requestID.map(key.redact))
        }
        if let error = json["error"], !error.isNull, json["id"] == nil || json["object"]?.string == "error" {
            throw EchoError(key.redact(APIFailure(json: error, requestID: requestID)))
        }
        return json
    }

    /// Counts an answer's usage and cost; its tokens are charged to the model's rate limit.
    func record(_ usage: Usage?, model: String, requestedModel: String?, id: String? = nil) {
        meter.record(usage, model: model, requestedModel: requestedModel, id: id)
        // The input was charged by an estimate before.
        if let usage { limiter.charge(usage.outputTokens, model: requestedModel ?? model) }
    }

    /// The share of the rate limit. The servers, too, estimate a token for four bytes.
    private func share(of request: HTTPRequest, model: String) -> RateLimiter.Share {
        let bytes = if case .bytes(let bytes) = request.body { bytes.count } else { 0 }
        return RateLimiter.Share(model: model, tokens: bytes / 4)
    }

    /// A failure from a stream, without keys.
    package func redact(_ failure: APIFailure) -> APIFailure { key.redact(failure) }

    /// Translates a transport's failure into this module's error.
    package func map(_ error: any Error) -> any Error {
        guard let error = error as? NetworkError else { return error }
        return error.underlying as? EchoError ?? EchoError(error, message: key.redact(error.message))
    }

    private static func isLocal(_ host: String) -> Bool {
        ["localhost", "127.0.0.1", "::1"].contains(host.lowercased())
    }

    private static func transport(_ configuration: EchoConfiguration) -> any HTTPTransport {
        if let transport = configuration.transport { return transport }
        do { return try curl(for: configuration.endpoint) } catch { return UnavailableTransport(error: error) }
    }

    /// A transport that allows plain `http` where the endpoint does.
    package static func curl(for endpoint: EchoEndpoint) throws -> CurlTransport {
        var curl = CurlTransport.Configuration()
        curl.plainHTTPHosts = ["localhost", "127.0.0.1", "::1"]
        if endpoint.allowsPlainHTTP, let host = URL(string: endpoint.baseURL)?.host(percentEncoded: false) {
            curl.plainHTTPHosts.insert(host.lowercased())
        }
        return try CurlTransport(configuration: curl)
    }
}

/// The transport when the system has no thread left: every request fails with the reason.
private struct UnavailableTransport: HTTPTransport {
    let error: any Error

    func send(_ request: HTTPRequest) async throws -> HTTPResponse { throw error }
}
