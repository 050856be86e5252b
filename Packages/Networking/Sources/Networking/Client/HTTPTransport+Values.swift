// SPDX-License-Identifier: MIT

public import FoundationEssentials

extension HTTPTransport {
    /// Sends a request and reads the whole response.
    ///
    /// - Parameter limit: The most bytes to hold.
    /// - Throws: `NetworkError` with the code `status` (`unauthorized` for 401) unless the status is 200 to 299; it
    ///   carries the server's problem details and every attempt.
    public func bytes(for request: HTTPRequest, upTo limit: Int = 64 << 20) async throws -> [UInt8] {
        let response = try await send(request)
        guard response.isSuccess else { throw await NetworkError(response, to: request) }
        return try await response.body.collect(upTo: limit)
    }

    /// Sends a request and decodes the JSON that comes.
    ///
    /// - Throws: As `bytes(for:upTo:)`; `NetworkError` with the code `decoding` if the JSON is another.
    public func value<Value: Decodable>(
        _ type: Value.Type = Value.self, for request: HTTPRequest, decoder: JSONDecoder = JSONDecoder()
    ) async throws -> Value {
        var request = request
        if !request.headers.contains(name: "Accept") { request.headers["Accept"] = "application/json" }
        let bytes = try await bytes(for: request)
        do {
            return try decoder.decode(type, from: Data(bytes))
        } catch {
            throw NetworkError(
                code: .decoding,
                message: "The response is not the JSON of a \(type). The server may speak a newer version.",
                underlying: error)
        }
    }
}

extension HTTPRequest {
    /// A request with a value as JSON.
    ///
    /// - Throws: `NetworkError` with the code `invalidRequest` if the value cannot be encoded.
    public init(
        _ method: HTTPMethod, _ url: URL, headers: HTTPHeaders = [:], json value: some Encodable,
        encoder: JSONEncoder = JSONEncoder()
    ) throws {
        do {
            self.init(method, url, headers: headers, body: .bytes(Array(try encoder.encode(value))))
        } catch {
            throw NetworkError(code: .invalidRequest, message: "The value cannot be encoded.", underlying: error)
        }
        if !self.headers.contains(name: "Content-Type") { self.headers["Content-Type"] = "application/json" }
    }
}

extension NetworkError {
    /// The error that a response of a bad status is; what is left of its body is read or thrown away.
    public init(_ response: HTTPResponse, to request: HTTPRequest) async {
        var problem: ProblemDetails?
        let type = response.headers["Content-Type"]?.lowercased() ?? ""
        if type.hasPrefix("application/problem+json"), let bytes = try? await response.body.collect(upTo: 256 << 10) {
            problem = try? JSONDecoder().decode(ProblemDetails.self, from: Data(bytes))
        } else {
            await response.discard()
        }
        let url = Redaction().redacted(response.url.absoluteString)
        self.init(
            code: response.status == 401 ? .unauthorized : .status,
            message: "The server answered \(response.status) to \(request.method) \(url).",
            attempts: response.attempts, status: response.status, problem: problem,
            retryAfter: RetryAfter.delay(in: response.headers, now: Date()))
    }
}
