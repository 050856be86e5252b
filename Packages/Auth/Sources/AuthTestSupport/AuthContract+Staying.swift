// SPDX-License-Identifier: MIT

import Auth
import Security

extension AuthContract {
    static let staying = [
        Check(description: "a refresh gives a new pair of the same session") { server in
            let (client, first) = (try client(server), try await signIn(server))
            let second = try await client.refresh(first.refreshToken)
            try require(second.session == first.session, "the session stays")
            try require(!equal(second.refreshToken, first.refreshToken), "the refresh token changes")
            _ = try await client.user(accessToken: second.accessToken)
        },
        Check(description: "a refresh whose answer was lost can be repeated at once") { server in
            let (client, first) = (try client(server), try await signIn(server))
            let lost = try await client.refresh(first.refreshToken)
            try await server.advance(.seconds(8))
            let again = try await client.refresh(first.refreshToken)
            try require(equal(again.refreshToken, lost.refreshToken), "the newest token is given again")
            _ = try await client.refresh(again.refreshToken)
        },
        Check(description: "an old refresh token ends its session") { server in
            let (client, first) = (try client(server), try await signIn(server))
            let second = try await client.refresh(first.refreshToken)
            _ = try await client.user(accessToken: second.accessToken)
            try await server.advance(.seconds(60))
            try await refuses(.reused, for: "an old token is refused") { try await client.refresh(first.refreshToken) }
            try await refuses(.signedOut, for: "its session is over") { try await client.refresh(second.refreshToken) }
        },
        Check(description: "a refresh token that is none is refused") { server in
            try await refuses(.signedOut, for: "a forged token is refused") {
                try await client(server).refresh(Sensitive(SecureRandom.token()))
            }
        },
        Check(description: "an access token expires, and a refresh helps") { server in
            let (client, grant) = (try client(server), try await signIn(server))
            try await server.advance(grant.lifetime + .seconds(1))
            try await refuses(.unauthorized, for: "an old access token is refused") {
                try await client.user(accessToken: grant.accessToken)
            }
            _ = try await client.user(accessToken: client.refresh(grant.refreshToken).accessToken)
        },
        Check(description: "an access token that is none is unauthorized") { server in
            try await refuses(.unauthorized, for: "a forged token is refused") {
                try await client(server).user(accessToken: Sensitive("a.b.c"))
            }
        },
        Check(description: "signing out ends the session, and only it") { server in
            let (client, first) = (try client(server), try await signIn(server))
            try await server.advance(.seconds(700))
            let second = try await signIn(server)
            try await client.signOut(.local, accessToken: second.accessToken)
            try await refuses(.signedOut, for: "it is over") { try await client.refresh(second.refreshToken) }
            try await refuses(.signedOut, for: "its access token, too") {
                try await client.user(accessToken: second.accessToken)
            }
            _ = try await client.refresh(first.refreshToken)
        },
        Check(description: "signing out the others leaves this one") { server in
            let (client, first) = (try client(server), try await signIn(server))
            try await server.advance(.seconds(700))
            let second = try await signIn(server)
            try await client.signOut(.others, accessToken: second.accessToken)
            try await refuses(.signedOut, for: "the other is over") { try await client.refresh(first.refreshToken) }
            _ = try await client.refresh(second.refreshToken)
        },
        Check(description: "signing out everywhere ends all") { server in
            let (client, first) = (try client(server), try await signIn(server))
            try await server.advance(.seconds(700))
            let second = try await signIn(server)
            try await client.signOut(.global, accessToken: second.accessToken)
            for token in [first.refreshToken, second.refreshToken] {
                try await refuses(.signedOut, for: "each is over") { try await client.refresh(token) }
            }
        },
        Check(description: "sessions are listed and revoked, or the server says that it cannot") { server in
            let (client, first) = (try client(server), try await signIn(server))
            guard server.listsSessions else {
                return try await refuses(.unsupported, for: "it says so") {
                    try await client.sessions(accessToken: first.accessToken)
                }
            }
            try await server.advance(.seconds(700))
            let second = try await signIn(server)
            let sessions = try await client.sessions(accessToken: second.accessToken)
            try require(sessions.map(\.id) == [second.session, first.session], "the newest is the first")
            try require(sessions.map(\.isCurrent) == [true, false], "the own one is marked")
            try require(sessions.allSatisfy { $0.device == "contract" && $0.createdAt != nil }, "devices have names")
            try await client.revoke(session: first.session ?? "", accessToken: second.accessToken)
            try await refuses(.signedOut, for: "it is over") { try await client.refresh(first.refreshToken) }
            try await refuses(.signedOut, for: "what is not there cannot be revoked") {
                try await client.revoke(session: "none", accessToken: second.accessToken)
            }
        },
    ]

    private static func equal(_ left: Sensitive<String>, _ right: Sensitive<String>) -> Bool {
        left.withExposed { left in right.withExposed { left == $0 } }
    }
}
