// SPDX-License-Identifier: MIT

public import FoundationEssentials
public import Networking

/// Calls an auth server in GoTrue's wire format (Supabase Auth, self-hosted or not, and Parley's server). It is
/// stateless; ``SessionController`` keeps the state.
///
/// A value; any number of tasks may use it at once. Methods throw ``AuthError``, or `CancellationError`.
public struct GoTrueClient: Sendable {
    /// The server's URL; paths such as `otp` are added to it.
    public let baseURL: URL
    private let base: String
    private let apiKey: String?
    private let clientName: String
    private let language: String?
    private let transport: any HTTPTransport
    let clock: ClientClock

    /// A client.
    ///
    /// - Parameters:
    ///   - baseURL: A URL such as `https://auth.example.org` or `https://project.supabase.co/auth/v1`; `http` for this
    ///     machine only.
    ///   - apiKey: Supabase's anon or publishable key.
    ///   - clientName: The program's name; Parley's server shows it in the list of sessions.
    ///   - language: The person's language, a tag of BCP 47; Parley's server writes its mails in it. Nil for the server's choice.
    ///   - transport: Sends the requests. They take no part in token refresh, and a retrying stage repeats only those
    ///     that just read.
    /// - Throws: ``AuthError`` with the code `invalidConfiguration`.
    public init(
        baseURL: URL, apiKey: String? = nil, clientName: String = "parley", language: String? = nil,
        transport: any HTTPTransport, clock: ClientClock = .system
    ) throws {
        let text = baseURL.absoluteString
        let isLocal = ["127.0.0.1", "localhost", "::1", "[::1]"].contains(baseURL.host() ?? "")
        guard baseURL.scheme == "https" || (baseURL.scheme == "http" && isLocal), let host = baseURL.host(),
            !host.isEmpty,
            baseURL.query() == nil, baseURL.fragment() == nil, baseURL.user() == nil, baseURL.password() == nil,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw AuthError(
                .invalidConfiguration,
                "The auth server's address must be https://… without a user, a query or a fragment (http on this machine)."
            )
        }
        self.baseURL = baseURL
        base = text.hasSuffix("/") ? String(text.dropLast()) : text
        self.apiKey = apiKey
        self.clientName = clientName
        self.language = language
        self.transport = transport
        self.clock = clock
    }

    /// Sends a request and returns the content of a 2xx answer.
    func answer(
        _ method: HTTPMethod, _ path: String, query: [(String, String)] = [], body: (any Encodable & Sendable)? = nil,
        bearer: String? = nil, for operation: AuthOperation
    ) async throws -> (bytes: [UInt8], headers: HTTPHeaders) {
        var request = try request(method, path, query, body, bearer)
        // A lost answer is repeated for about 10 s: there must be time for a second request.
        let limit: Duration = operation == .refresh ? .seconds(5) : .seconds(30)
        request.timeouts = HTTPTimeouts(connect: min(limit, .seconds(10)), firstByte: limit, idle: limit, whole: limit)
        do {
            let response = try await transport.send(request)
            guard response.isSuccess else {
                let bytes = (try? await response.body.collect(upTo: 65_536)) ?? []
                try Task.checkCancellation()
                throw AuthError(
                    WireProblem(bytes), status: response.status, headers: response.headers, to: operation,
                    now: clock.date())
            }
            return (try await response.body.collect(upTo: 1 << 20), response.headers)
        } catch let error as NetworkError {
            throw AuthError(error)
        }
    }

    /// The JSON of a 2xx answer as a value.
    func value<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            // The decoder's own error could quote the server's answer.
            throw AuthError(
                .server, "The answer is not in GoTrue's format. Check the server's address and the network.")
        }
    }

    private func request(
        _ method: HTTPMethod, _ path: String, _ query: [(String, String)], _ body: (any Encodable & Sendable)?,
        _ bearer: String?
    ) throws -> HTTPRequest {
        let items = query.map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
        guard let url = URL(string: base + "/" + path + (items.isEmpty ? "" : "?" + items)) else {
            throw AuthError(.invalidConfiguration, "The auth server's address cannot be used.")
        }
        var request = HTTPRequest(method, url)
        if let body {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            request.body = .bytes(Array(try encoder.encode(body)))
            request.headers["Content-Type"] = "application/json"
        }
        request.headers["Accept"] = "application/json"
        request.headers["User-Agent"] = clientName
        if let language { request.headers["Accept-Language"] = language }
        if let apiKey { request.headers["apikey"] = apiKey }
        if let bearer { request.headers["Authorization"] = "Bearer \(bearer)" }
        request.redirects = .stop
        request.options.isAuthorized = false
        request.options.caching = .none
        // A second mail, a second exchange: no such request may be repeated without the session's knowledge.
        if !method.isSafe { request.options.isRepeatable = false }
        return request
    }

    /// Percent-encodes all but unreserved characters (RFC 3986 §2.3).
    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.append(byte)
            default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
