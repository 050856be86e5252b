// SPDX-License-Identifier: MIT

import Auth
import Security

extension AuthContract {
    static let signingIn = [
        Check(description: "a code signs in, once") { server in
            let grant = try await signIn(server)
            let client = try client(server)
            try require(
                try await client.user(accessToken: grant.accessToken).email == email, "the user has the address")
            try require(grant.user?.email == email && grant.session != nil, "tokens say whose they are")
            try require(grant.lifetime >= .seconds(60), "a token lives for a while")
            let code = try await server.mail(email)?.code ?? ""
            try await refuses(.wrongCode, .alreadyUsed, .expired, for: "a used code is refused") {
                try await client.verify(code: code, of: email)
            }
        },
        Check(description: "a wrong code is refused, and the right one is still good") { server in
            let client = try client(server)
            try await client.requestMail(to: email, challenge: PKCE().challenge)
            let code = try await server.mail(email)?.code ?? ""
            do {
                _ = try await client.verify(code: code == "000000" ? "000001" : "000000", of: email)
                throw Violation(description: "a wrong code is refused")
            } catch let error as AuthError {
                try require(error.code == .wrongCode, "a wrong code is wrongCode, not \(error)")
                try require((error.attemptsLeft != nil) == server.countsAttempts, "attempts are counted, or not")
            }
            _ = try await client.verify(code: code, of: email)
        },
        Check(description: "a code of another address, or of nobody, is refused") { server in
            let client = try client(server)
            try await client.requestMail(to: email, challenge: PKCE().challenge)
            let code = try await server.mail(email)?.code ?? ""
            try await refuses(.wrongCode, .expired, for: "another address's code is refused") {
                try await client.verify(code: code, of: "eve@example.org")
            }
        },
        Check(description: "what is no address is refused") { server in
            try await refuses(.invalidAddress, for: "an address needs an @") {
                try await client(server).requestMail(to: "ada", challenge: PKCE().challenge)
            }
        },
        Check(description: "a link's token signs in who asked for it, once") { server in
            let (client, pkce) = (try client(server), try PKCE())
            try await client.requestMail(to: email, challenge: pkce.challenge)
            let token = Sensitive(try await server.mail(email)?.token ?? "")
            if server.bindsLinks {
                let other = try PKCE().verifier
                try await refuses(.wrongDevice, for: "another device's verifier is refused") {
                    try await client.verify(tokenHash: token, verifier: other)
                }
                try await refuses(.wrongDevice, for: "a link alone is refused") {
                    try await client.verify(tokenHash: token, verifier: nil)
                }
            }
            let grant = try await client.verify(tokenHash: token, type: "magiclink", verifier: pkce.verifier)
            try require(try await client.user(accessToken: grant.accessToken).email == email, "the link signs in")
            try await refuses(.alreadyUsed, .expired, for: "a used link is refused") {
                try await client.verify(tokenHash: token, verifier: pkce.verifier)
            }
        },
        Check(description: "a token that is none is refused") { server in
            try await refuses(.expired, for: "a forged token is refused") {
                try await client(server).verify(
                    tokenHash: Sensitive(SecureRandom.token()), verifier: PKCE().verifier)
            }
        },
        Check(description: "a link used in a browser gives a code that only the verifier exchanges, once") { server in
            let (client, pkce) = (try client(server), try PKCE())
            try await client.requestMail(to: email, challenge: pkce.challenge)
            guard let code = try await server.followLink(email).map({ Sensitive($0) }) else {
                throw Violation(description: "a link leads back with a code")
            }
            let grant = try await client.exchange(authCode: code, verifier: pkce.verifier)
            try require(try await client.user(accessToken: grant.accessToken).email == email, "the code signs in")
            try await refuses(.alreadyUsed, .expired, for: "a used code is refused") {
                try await client.exchange(authCode: code, verifier: pkce.verifier)
            }
        },
        Check(description: "a wrong verifier exchanges nothing, and uses the code up") { server in
            let (client, pkce) = (try client(server), try PKCE())
            try await client.requestMail(to: email, challenge: pkce.challenge)
            let code = Sensitive(try await server.followLink(email) ?? "")
            let other = try PKCE().verifier
            try await refuses(.wrongDevice, for: "a wrong verifier is refused") {
                try await client.exchange(authCode: code, verifier: other)
            }
            try await refuses(.alreadyUsed, .expired, for: "the code is used up") {
                try await client.exchange(authCode: code, verifier: pkce.verifier)
            }
        },
        Check(description: "too many mails are refused, with the time until the next") { server in
            let client = try client(server)
            for _ in 0..<20 {
                do {
                    try await client.requestMail(to: email, challenge: PKCE().challenge)
                } catch let error as AuthError {
                    try require(error.code == .tooManyMails, "it is tooManyMails, not \(error)")
                    try require(error.retryAfter.map { $0 > .zero } == true && error.until != nil, "it says until when")
                    return
                }
            }
            throw Violation(description: "nobody gets twenty mails at once")
        },
        Check(description: "a server tells what it offers") { server in
            let client = try client(server)
            let settings = try await client.settings()
            try require(settings.allowsEmail && settings.allowsSignUp, "it signs in by mail")
            _ = try await client.keys()
        },
    ]
}
