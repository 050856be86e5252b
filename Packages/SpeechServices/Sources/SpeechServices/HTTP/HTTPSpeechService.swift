// SPDX-License-Identifier: MIT

public import Diagnostics
public import FoundationEssentials
public import Networking

/// The address of a service that speaks HTTP, and the way to it. Values are shared by its engines and its probe.
///
/// TLS, pins and the hosts that plain `http` is allowed for are the transport's: `CurlTransport` refuses anything below
/// TLS 1.2, and plain `http` to other machines unless they are listed in `plainHTTPHosts`. Redirects are not followed,
/// because a key must not reach another host.
public struct HTTPSpeechService: Sendable {
    /// The service's name in messages, such as "ElevenLabs".
    public let name: String
    /// The base of paths, such as `https://api.openai.com/v1`.
    public let baseURL: URL
    /// The limits of each request.
    public let limits: SpeechServiceLimits
    let key: SpeechServiceKey?
    let clock: any Clock<Duration>
    let logger: Logger
    private let client: HTTPClient

    /// A service. Nothing is sent yet.
    ///
    /// - Parameters:
    ///   - name: The name in messages.
    ///   - baseURL: The base of paths: for OpenAI's protocol with its version (`…/v1`), for the others without.
    ///   - key: The key; nil for a server that wants none.
    ///   - transport: Sends the requests: a `CurlTransport` of the whole program.
    ///   - limits: The limits of each request; they take the place of the transport's time-outs after connecting.
    ///   - clock: The clock of the limits.
    ///   - logger: Receives the code of each failure; never a key or a text.
    public init(
        name: String, baseURL: URL, key: SpeechServiceKey? = nil, transport: any HTTPTransport,
        limits: SpeechServiceLimits = SpeechServiceLimits(), clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger = .disabled
    ) {
        self.name = name
        self.baseURL = baseURL
        self.key = key
        self.limits = limits
        self.clock = clock
        self.logger = logger.with(category: "speech-service")
        // A person waits, and a fallback is ready: nothing is tried again here, and no rate is waited for.
        var stages = HTTPClient.Configuration()
        stages.baseURL = baseURL
        stages.retry = nil
        stages.circuitBreaker = nil
        stages.rateLimits = nil
        stages.maximumConcurrentRequests = nil
        client = HTTPClient(transport: transport, configuration: stages)
    }

    /// A request below the base, with the time-outs left to this module's limits.
    func request(
        _ method: HTTPMethod, _ path: HTTPPath, query: HTTPQuery = [:], headers: HTTPHeaders = [:],
        body: HTTPBody = .none
    ) throws -> HTTPRequest {
        var request = try client.request(method, path, query: query)
        for field in headers { request.headers.add(name: field.name, value: field.value) }
        request.body = body
        request.redirects = .stop
        request.timeouts = HTTPTimeouts(firstByte: nil, idle: nil, whole: nil)
        request.options.caching = .none
        request.options.isAuthorized = false
        return request
    }

    /// `Authorization: Bearer`, if there is a key.
    var bearer: HTTPHeaders {
        guard let key, !key.value.isEmpty else { return [:] }
        return ["Authorization": "Bearer \(key.value)"]
    }

    /// The response, once it starts and is a success.
    ///
    /// - Parameter subject: The thing that a 404 misses.
    /// - Throws: ``SpeechServiceError``.
    func send(_ request: HTTPRequest, about subject: RequestSubject) async throws -> HTTPResponse {
        let client = client
        let response = try await translating {
            try await withStallLimit(limits.answer, clock: clock) { try await client.send(request) }
        }
        guard !response.isSuccess else { return response }
        let answer = try await translating {
            try await withStallLimit(limits.stall, clock: clock) { await NetworkError(response, to: request) }
        }
        let failure = SpeechServiceError(
            ServiceFailure(status: response.status, body: answer.body, retryAfter: answer.retryAfter),
            about: subject, service: name, key: key)
        logger.info("\(name, privacy: .public): \(failure.code.rawValue, privacy: .public)")
        throw failure
    }

    /// Each piece of a body, within the limit between two pieces and that of all their bytes.
    func forEachPiece(
        of body: HTTPResponseBody, upTo limit: Int, _ use: ([UInt8]) throws -> Void
    ) async throws {
        var count = 0
        try await translating {
            // A body goes on where the last iterator stopped, so each wait can have its own.
            while let piece = try await withStallLimit(
                limits.stall, clock: clock,
                {
                    var pieces = body.makeAsyncIterator()
                    return try await pieces.next()
                })
            {
                count += piece.count
                guard count <= limit else { throw SpeechServiceError.tooLarge(name, limit: limit) }
                try use(piece)
            }
        }
    }

    /// A whole body of text.
    func collect(_ body: HTTPResponseBody) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        try await forEachPiece(of: body, upTo: limits.maximumTextBytes) { bytes += $0 }
        return bytes
    }

    /// Runs a part of a request, and throws this module's errors.
    func translating<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as StallLimitExceeded {
            throw SpeechServiceError.stalled(name, after: error.limit)
        } catch { throw SpeechServiceError.translated(error, service: name) }
    }
}
