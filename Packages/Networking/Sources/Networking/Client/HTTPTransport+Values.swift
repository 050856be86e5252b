// SPDX-License-Identifier: MIT

public import FoundationEssentials

extension HTTPTransport {
    /// Sends a request and reads the whole response.
    ///
    /// - Parameter limit: The most bytes to hold.
    /// - Throws: `NetworkError` with the code `status` (`unauthorized` for 401) unless the status is 200 to 299; it
    ///   carries the response's body, the server's problem details and every attempt.
    public func bytes(for request: HTTPRequest, upTo limit: Int = 64 << 20) async throws -> [UInt8] {
        let response = try await send(request)
        guard response.isSuccess else { throw await NetworkError(response, to: request, now: currentDate) }
        return try await response.body.collect(upTo: limit)
    }

    /// Sends a request and decodes the JSON of its response, by ``HTTPTransport/coding`` unless `coding` is given.
    ///
    /// - Throws: As `bytes(for:upTo:)`; `NetworkError` with the code `decoding`, and the path to the mismatch.
    public func value<Value: Decodable>(
        _ type: Value.Type = Value.self, for request: HTTPRequest, coding: JSONCoding? = nil
    ) async throws -> Value {
        var request = request
        if !request.headers.contains(name: "Accept") { request.headers["Accept"] = "application/json" }
        return try (coding ?? self.coding).decode(type, from: try await bytes(for: request))
    }
}

extension HTTPRequest {
    /// A request with a value as JSON.
    ///
    /// - Throws: `NetworkError` with the code `invalidRequest` if the value cannot be encoded.
    public init(
        _ method: HTTPMethod, _ url: URL, headers: HTTPHeaders = [:], json value: some Encodable,
        coding: JSONCoding = .standard
    ) throws {
        self.init(method, url, headers: headers, body: .bytes(try coding.encode(value)))
        if !self.headers.contains(name: "Content-Type") { self.headers["Content-Type"] = "application/json" }
    }
}

extension NetworkError {
    /// The most bytes of a bad response's body in an error.
    static let maximumBodyBytes = 256 << 10

    /// The error of a response with a bad status. Reads the body, of which at most 256 KiB are kept.
    ///
    /// - Parameter now: The date that a date in `Retry-After` is compared with, if the response has no `Date`.
    public init(_ response: HTTPResponse, to request: HTTPRequest, now: Date = Date()) async {
        let body = await response.body.start(upTo: Self.maximumBodyBytes)
        let type = response.headers["Content-Type"]?.lowercased() ?? ""
        let isProblem = type.hasPrefix("application/problem+json")
        let url = Redaction().redacted(response.url.absoluteString)
        self.init(
            code: response.status == 401 ? .unauthorized : .status,
            message: "The server answered \(response.status) to \(request.method) \(url).",
            attempts: response.attempts, status: response.status,
            problem: isProblem ? try? JSONDecoder().decode(ProblemDetails.self, from: Data(body)) : nil,
            retryAfter: response.headers.retryAfter(now: now))
        self.body = body
    }

    /// The error's body as JSON, such as `{"error": "too_many"}`.
    ///
    /// - Throws: `NetworkError` with the code `decoding`, also when there is no body.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, coding: JSONCoding = .standard
    ) throws -> Value {
        try coding.decode(type, from: body)
    }
}

extension HTTPResponseBody {
    /// The first bytes left, up to the end, the limit or a failure.
    fileprivate func start(upTo limit: Int) async -> [UInt8] {
        var bytes: [UInt8] = []
        var iterator = makeAsyncIterator()
        while bytes.count < limit, let chunk = try? await iterator.next() {
            bytes += chunk.prefix(limit - bytes.count)
        }
        return bytes
    }
}
