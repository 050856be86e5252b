// SPDX-License-Identifier: MIT

import AuthEndpoints
import AuthServer
import FoundationEssentials

extension AuditLog {
    /// Records an answer of the sign-in endpoints.
    ///
    /// - Parameter body: The answer's JSON, which names the account.
    func answered(_ route: GoTrueEndpoints.Route, query: String?, id: String?, body: [UInt8]) {
        switch route {
        case .verify: record(.signedIn(method: "verify", account: Self.account(in: body)))
        case .token where query == "refresh_token": record(.refreshed(account: Self.account(in: body)))
        case .token: record(.signedIn(method: "token", account: Self.account(in: body)))
        case .signOut: record(.signedOut(session: nil))
        case .revoke: record(.signedOut(session: id))
        default: break
        }
    }

    /// Records a refusal of any endpoint.
    func refused(_ error: AuthServerError, by method: String) {
        if error.code == .refreshTokenReused { return record(.tokenReused(session: error.session)) }
        record(.refused(method: method, code: error.code))
    }

    private static func account(in body: [UInt8]) -> String? {
        struct Answer: Decodable {
            struct User: Decodable {
                let id: String
            }
            let user: User
        }
        return try? JSONDecoder().decode(Answer.self, from: Data(body)).user.id
    }
}
