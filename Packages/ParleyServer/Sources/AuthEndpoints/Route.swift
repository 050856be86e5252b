// SPDX-License-Identifier: MIT

extension GoTrueEndpoints {
    /// The addresses below the server's own.
    ///
    /// | route | call | does |
    /// |---|---|---|
    /// | ``requestSignIn`` | `POST /otp?redirect_to=` | asks for a mail |
    /// | ``verify`` | `POST /verify` | signs in by `email` and `token`, or by `token_hash` and (Parley's) `code_verifier` |
    /// | ``token`` | `POST /token?grant_type=refresh_token`, `pkce` | exchanges a token or a code |
    /// | ``signOut`` | `POST /logout?scope=local`, `others`, `global` | ends sessions |
    /// | ``user``, ``changeUser`` | `GET /user`, `PUT /user` | tells who has signed in; changes `user_metadata` |
    /// | ``sessions``, ``revoke`` | `GET /sessions`, `DELETE /sessions/{id}` | lists and ends sessions; not GoTrue's |
    /// | ``settings``, ``health``, ``keys`` | `GET /settings`, `/health`, `/.well-known/jwks.json` | tell about the server |
    public enum Route: String, Sendable, Hashable, CaseIterable {
        /// Asks for a mail.
        case requestSignIn = "POST /otp"
        /// Signs in by a code or a link.
        case verify = "POST /verify"
        /// Exchanges a refresh token or an authorization code.
        case token = "POST /token"
        /// Ends sessions.
        case signOut = "POST /logout"
        /// Tells who has signed in.
        case user = "GET /user"
        /// Changes what is stored at the account.
        case changeUser = "PUT /user"
        /// Lists the account's sessions.
        case sessions = "GET /sessions"
        /// Ends one session.
        case revoke = "DELETE /sessions/{id}"
        /// Tells how one can sign in.
        case settings = "GET /settings"
        /// Tells that the server answers, and what it is.
        case health = "GET /health"
        /// Tells the keys of access tokens (RFC 7517).
        case keys = "GET /.well-known/jwks.json"

        /// The method's name.
        public var method: String { String(rawValue.prefix { $0 != " " }) }

        /// The path, with `{id}` where a request has a value of its own.
        public var path: String { String(rawValue.drop { $0 != " " }.dropFirst()) }

        /// The route of a request, and what it has in place of `{id}`.
        ///
        /// - Parameter path: Percent-decoded.
        public static func find(method: String, path: String) -> (route: Route, id: String?)? {
            for route in allCases where route.method == method {
                guard let id = route.path.firstIndex(of: "{") else {
                    if route.path == path { return (route, nil) }
                    continue
                }
                let front = route.path[..<id]
                let rest = path.dropFirst(front.count)
                if path.hasPrefix(front), !rest.isEmpty, !rest.contains("/") { return (route, String(rest)) }
            }
            return nil
        }
    }
}
