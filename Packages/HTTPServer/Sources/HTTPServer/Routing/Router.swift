// SPDX-License-Identifier: MIT

public import Networking

/// A function around a handler: a log, a check, a header. It may call the handler or not.
public typealias HTTPMiddleware = @Sendable (@escaping HTTPHandler) -> HTTPHandler

/// Finds the handler for a request by its method and path.
///
/// A path without a route is a 404; a method without a route for that path is a 405 with `Allow`. `OPTIONS` is answered
/// from the routes, unless one takes it, and `HEAD` by the route of `GET`.
public struct Router: Sendable {
    private struct Route: Sendable {
        var method: HTTPMethod
        var pattern: RoutePattern
        var name: String
        var bodyLimit: Int?
        var handler: HTTPHandler
    }

    private var routes: [Route] = []
    private var middlewares: [HTTPMiddleware] = []

    /// A router without routes.
    public init() {}

    /// Adds a route. If several patterns match a path, a literal segment takes precedence over a parameter.
    ///
    /// A pattern that is malformed, or a method and pattern that are taken already, is a programmer's error.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - pattern: The path, such as `/sessions/{id}` or `/files/{path...}`.
    ///   - name: The route's name in metrics and logs; by default the pattern. Never a part of the request.
    ///   - bodyLimit: The most bytes of a body; nil for the server's limit.
    ///   - handler: Answers; ``ServerRequest/parameter(_:)`` returns the values of the pattern's names.
    public mutating func on(
        _ method: HTTPMethod, _ pattern: String, name: String? = nil, bodyLimit: Int? = nil,
        handler: @escaping HTTPHandler
    ) {
        guard let parsed = RoutePattern(pattern) else { preconditionFailure("\(pattern) is not a route pattern") }
        precondition(
            !routes.contains { $0.method == method && $0.pattern.isEquivalent(to: parsed) },
            "\(method) \(pattern) has a route already")
        let place = routes.firstIndex { parsed.precedes($0.pattern) } ?? routes.endIndex
        routes.insert(
            Route(method: method, pattern: parsed, name: name ?? pattern, bodyLimit: bodyLimit, handler: handler),
            at: place)
    }

    /// Adds a route for GET, and HEAD.
    public mutating func get(_ pattern: String, name: String? = nil, handler: @escaping HTTPHandler) {
        on(.get, pattern, name: name, handler: handler)
    }

    /// Adds a route for POST.
    public mutating func post(
        _ pattern: String, name: String? = nil, bodyLimit: Int? = nil, handler: @escaping HTTPHandler
    ) {
        on(.post, pattern, name: name, bodyLimit: bodyLimit, handler: handler)
    }

    /// Adds a route for PUT.
    public mutating func put(
        _ pattern: String, name: String? = nil, bodyLimit: Int? = nil, handler: @escaping HTTPHandler
    ) {
        on(.put, pattern, name: name, bodyLimit: bodyLimit, handler: handler)
    }

    /// Adds a route for PATCH.
    public mutating func patch(
        _ pattern: String, name: String? = nil, bodyLimit: Int? = nil, handler: @escaping HTTPHandler
    ) {
        on(.patch, pattern, name: name, bodyLimit: bodyLimit, handler: handler)
    }

    /// Adds a route for DELETE.
    public mutating func delete(_ pattern: String, name: String? = nil, handler: @escaping HTTPHandler) {
        on(.delete, pattern, name: name, handler: handler)
    }

    /// Wraps every answer of this router, errors included; the first one added is the outermost.
    public mutating func use(_ middleware: @escaping HTTPMiddleware) {
        middlewares.append(middleware)
    }

    /// Every route, as method and pattern, in the order of matching: for tests and documents that must be complete.
    public var patterns: [(method: HTTPMethod, pattern: String)] {
        routes.map { ($0.method, $0.pattern.description) }
    }

    /// The routes and the middlewares as one handler, for ``HTTPServer``. Later changes of the router do not change it.
    public var handler: HTTPHandler {
        let router = self
        let dispatch: HTTPHandler = { try await router.dispatch($0) }
        return middlewares.reversed().reduce(dispatch) { $1($0) }
    }

    private func dispatch(_ request: ServerRequest) async throws -> ServerResponse {
        if request.isAsterisk {
            return ServerResponse(status: 204, headers: ["Allow": Self.allow(routes.map(\.method))])
        }
        let matches = routes.compactMap { route in route.pattern.match(request.path).map { (route, $0) } }
        guard !matches.isEmpty else { throw ServerProblem.notFound }
        let match =
            matches.first { $0.0.method == request.method }
            ?? (request.method == .head ? matches.first { $0.0.method == .get } : nil)
        guard let (route, parameters) = match else { return try refuse(request, routes: matches.map(\.0)) }
        request.trace.route = route.name
        var request = request
        request.parameters = parameters
        if let limit = route.bodyLimit { request.body.limit = limit }
        return try await route.handler(request)
    }

    private func refuse(_ request: ServerRequest, routes matches: [Route]) throws -> ServerResponse {
        let allow = Self.allow(matches.map(\.method))
        if request.method == .options { return ServerResponse(status: 204, headers: ["Allow": allow]) }
        throw ServerProblem(
            status: 405, detail: "The address takes \(allow).", headers: ["Allow": allow])
    }

    private static func allow(_ methods: [HTTPMethod]) -> String {
        var names = Set(methods.map(\.rawValue))
        if names.contains("GET") { names.insert("HEAD") }
        names.insert("OPTIONS")
        return names.sorted().joined(separator: ", ")
    }
}
