// SPDX-License-Identifier: MIT

public import HTTPServer
import Networking

/// Keeps other pages, other users and other machines out of a page on this machine.
///
/// A browser runs the code of any site, and lets it send requests to 127.0.0.1. What it may send is told by `Host` (DNS rebinding
/// gives a foreign name), `Sec-Fetch-Site` and `Origin` (Fetch standard; a page cannot set them), and by the session that only the page
/// itself knows. There is no cookie: cookies are shared by all ports of a host.
public struct PageGuard: Sendable {
    /// The path of data and actions; all else is files that are no secret.
    static let data = "api"
    /// The path below ``data`` that exchanges a token for a session.
    static let exchange = "session"
    /// The fields of each answer.
    static let fields: HTTPHeaders = [
        "Content-Security-Policy": """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; \
        media-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; \
        require-trusted-types-for 'script'; trusted-types 'none'
        """,
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    ]

    private let keys: PageKeys
    private let port: @Sendable () -> Int

    /// A guard of a page.
    ///
    /// - Parameter port: The port that the page's server listens at.
    public init(_ keys: PageKeys, port: @escaping @Sendable () -> Int) { (self.keys, self.port) = (keys, port) }

    /// Refuses what the page did not send, and gives each answer, also an error, the fields that keep it from other pages.
    public var middleware: HTTPMiddleware {
        { handler in
            { request in
                var response: ServerResponse
                do {
                    try check(request)
                    response = try await handler(request)
                } catch let problem as ServerProblem {
                    response = problem.response(requestID: request.id)
                }
                for field in Self.fields where response.headers[field.name] == nil {
                    response.headers[field.name] = field.value
                }
                if response.headers["Cache-Control"] == nil { response.headers["Cache-Control"] = "no-store" }
                return response
            }
        }
    }

    /// - Throws: ``ServerProblem``: 403 for another page's request or another host's name, 401 without a session, 415 for a body that a
    ///   form could send.
    func check(_ request: ServerRequest) throws {
        guard let host = request.host?.lowercased(), ["127.0.0.1:\(port())", "localhost:\(port())"].contains(host)
        else {
            throw ServerProblem(
                status: 403, detail: "This page is at http://127.0.0.1:\(port()), not under another name.")
        }
        let isData = request.path.first == Self.data
        let isSafe = request.method == .get || request.method == .head
        let site = request.headers["Sec-Fetch-Site"]
        let origin = request.headers["Origin"]
        // A link may lead to the page itself, from any site.
        let isOpened = isSafe && !isData && request.headers["Sec-Fetch-Mode"] == "navigate"
        guard isOpened || site.map({ $0 == "same-origin" || $0 == "none" }) ?? true,
            origin.map({ $0 == "http://\(host)" }) ?? true,
            isSafe || site != nil || origin != nil
        else { throw ServerProblem(status: 403, detail: "The request comes from another page.") }
        if !isSafe, request.method != .delete {
            let type = request.headers["Content-Type"]?.prefix { $0 != ";" }
            guard type == "application/json" else {
                throw ServerProblem(status: 415, detail: "The body must be JSON (Content-Type: application/json).")
            }
        }
        guard isData, request.path.dropFirst().first != Self.exchange else { return }
        let words = request.headers["Authorization"]?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer", keys.isValid(session: String(words[1])) else {
            throw ServerProblem(
                status: 401, detail: "Open this page anew from the program.", headers: ["WWW-Authenticate": "Bearer"])
        }
    }
}

extension Router {
    /// Adds `POST /api/session`, which exchanges `{"token": …}` for `{"session": …}`, or answers 403.
    public mutating func exchangeTokens(of keys: PageKeys) {
        post("/\(PageGuard.data)/\(PageGuard.exchange)", bodyLimit: 1_024) { request in
            struct Given: Decodable { let token: String }
            struct Session: Encodable { let session: String }
            let token = try await request.body.json(Given.self).token
            guard let session = try keys.session(for: token) else {
                throw ServerProblem(status: 403, detail: "The link was used already, or is older than a minute.")
            }
            return try .json(Session(session: session))
        }
    }
}
