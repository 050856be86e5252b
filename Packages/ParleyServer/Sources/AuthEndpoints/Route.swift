// SPDX-License-Identifier: MIT

extension GoTrueEndpoints {
    /// The addresses below the server's own.
    ///
    /// | route | call | does |
    /// |---|---|---|
    /// | ``requestSignIn`` | `POST /otp?redirect_to=` | requests a mail |
    /// | ``verify`` | `POST /verify` | signs in by `email` and `token`, or `token_hash` and `code_verifier` (Parley) |
    /// | ``token`` | `POST /token?grant_type=refresh_token`, `pkce` | exchanges a token or a code |
    /// | ``signOut`` | `POST /logout?scope=local`, `others`, `global` | ends sessions |
    /// | ``user``, ``changeUser`` | `GET /user`, `PUT /user` | returns the account; changes `user_metadata` |
    /// | ``sessions``, ``revoke`` | `GET /sessions`, `DELETE /sessions/{id}` | lists and ends sessions; not GoTrue's |
    /// | ``settings``, ``health`` | `GET /settings`, `GET /health` | describe the server |
    /// | ``keys`` | `GET /.well-known/jwks.json` | returns the keys of access tokens |
    public enum Route: String, Sendable, Hashable, CaseIterable {
        /// Requests a mail.
        case requestSignIn = "POST /otp"
        /// Signs in by a code or a link.
        case verify = "POST /verify"
        /// Exchanges a refresh token or an authorization code.
        case token = "POST /token"
        /// Ends sessions.
        case signOut = "POST /logout"
        /// Returns the signed-in account.
        case user = "GET /user"
        /// Changes the account's metadata.
        case changeUser = "PUT /user"
        /// Lists the account's sessions.
        case sessions = "GET /sessions"
        /// Ends one session.
        case revoke = "DELETE /sessions/{id}"
        /// Returns the ways to sign in.
        case settings = "GET /settings"
        /// Returns the server's name and version, as a sign that it answers.
        case health = "GET /health"
        /// Returns the keys of access tokens (RFC 7517).
        case keys = "GET /.well-known/jwks.json"

        /// The method's name.
        public var method: String { String(rawValue.prefix { $0 != " " }) }

        /// The path, with `{id}` in place of a request's value.
        public var path: String { String(rawValue.drop { $0 != " " }.dropFirst()) }

        /// The route of a request, and the request's value of `{id}`.
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
