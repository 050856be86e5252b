// SPDX-License-Identifier: MIT

import FoundationEssentials

extension HTTPClient {
    /// A request for a path below the base URL.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: Appended to the base URL's own path.
    ///   - query: Appended to the base URL's own query.
    ///   - json: A value to send as JSON, by ``coding``.
    /// - Throws: `NetworkError` with the code `invalidRequest` if there is no base URL, if the path leads out of it, or
    ///   if the value cannot be encoded.
    public func request(
        _ method: HTTPMethod, _ path: HTTPPath, query: HTTPQuery = [:], json: (any Encodable)? = nil
    ) throws -> HTTPRequest {
        let url = try url(path, query: query)
        guard let json else { return HTTPRequest(method, url) }
        return try HTTPRequest(method, url, json: json, coding: coding)
    }

    /// GETs JSON.
    ///
    /// - Throws: As ``HTTPTransport/value(_:for:coding:)``.
    public func get<Value: Decodable>(
        _ path: HTTPPath, query: HTTPQuery = [:], as type: Value.Type = Value.self
    ) async throws -> Value {
        try await value(for: request(.get, path, query: query))
    }

    /// POSTs JSON, and decodes the JSON of the response.
    ///
    /// - Throws: As ``HTTPTransport/value(_:for:coding:)``.
    public func post<Value: Decodable>(
        _ path: HTTPPath, query: HTTPQuery = [:], json: some Encodable, as type: Value.Type = Value.self
    ) async throws -> Value {
        try await value(for: request(.post, path, query: query, json: json))
    }

    /// PUTs JSON, and decodes the JSON of the response.
    ///
    /// - Throws: As ``HTTPTransport/value(_:for:coding:)``.
    public func put<Value: Decodable>(
        _ path: HTTPPath, query: HTTPQuery = [:], json: some Encodable, as type: Value.Type = Value.self
    ) async throws -> Value {
        try await value(for: request(.put, path, query: query, json: json))
    }

    /// PATCHes with JSON, and decodes the JSON of the response.
    ///
    /// - Throws: As ``HTTPTransport/value(_:for:coding:)``.
    public func patch<Value: Decodable>(
        _ path: HTTPPath, query: HTTPQuery = [:], json: some Encodable, as type: Value.Type = Value.self
    ) async throws -> Value {
        try await value(for: request(.patch, path, query: query, json: json))
    }

    /// DELETEs.
    ///
    /// - Throws: As ``HTTPTransport/bytes(for:upTo:)``.
    public func delete(_ path: HTTPPath, query: HTTPQuery = [:]) async throws {
        try await call(.delete, path, query: query)
    }

    /// Sends a request whose response is not JSON, or empty.
    ///
    /// - Throws: As ``HTTPTransport/bytes(for:upTo:)``.
    @discardableResult
    public func call(
        _ method: HTTPMethod, _ path: HTTPPath, query: HTTPQuery = [:], json: (any Encodable)? = nil
    ) async throws -> [UInt8] {
        try await bytes(for: request(method, path, query: query, json: json))
    }

    private func url(_ path: HTTPPath, query: HTTPQuery) throws -> URL {
        guard let baseURL, var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true) else {
            throw NetworkError.invalidRequest("The client has no base URL. Set HTTPClient.Configuration.baseURL.")
        }
        guard !path.leadsElsewhere else {
            throw NetworkError.invalidRequest("The path has a segment . or .., which leaves the base URL.")
        }
        if !path.encoded.isEmpty {
            let base = parts.percentEncodedPath
            parts.percentEncodedPath = (base.hasSuffix("/") ? base : base + "/") + path.encoded
        }
        if !query.encoded.isEmpty {
            let own = parts.percentEncodedQuery.map { $0 + "&" } ?? ""
            parts.percentEncodedQuery = own + query.encoded
        }
        guard let url = parts.url else {
            throw NetworkError.invalidRequest("The base URL and the path make no URL. Check the base URL.")
        }
        return url
    }
}
