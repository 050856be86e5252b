// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import FoundationEssentials
import Networking
import Security

extension ScriptedGoTrue {
    typealias Answer = (status: Int, body: String)

    /// The members of the bodies of all calls.
    private struct Body: Decodable {
        var email: String?
        var token: String?
        var tokenHash: String?
        var codeChallenge: String?
        var codeVerifier: String?
        var authCode: String?
        var refreshToken: String?
    }

    private struct Claims: Codable {
        let session: String
        let generation: Int
        let exp: Int

        enum CodingKeys: String, CodingKey {
            case session = "session_id"
            case generation, exp
        }
    }

    func respond(to request: HTTPRequest) -> Answer {
        var body = Body()
        if case .bytes(let bytes) = request.body {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            guard let read = try? decoder.decode(Body.self, from: Data(bytes)) else {
                return Self.refusal(400, "bad_json", "Could not parse request body as JSON")
            }
            body = read
        }
        let name = request.url.path().split(separator: "/").last.map(String.init) ?? ""
        return switch "\(request.method) \(name)" {
        case "POST otp": mail(body)
        case "POST verify": verify(body)
        case "POST token":
            request.url.query() == "grant_type=pkce" ? exchange(body) : refresh(body.refreshToken ?? "")
        case "POST logout": logout(request)
        case "GET user": user(request)
        case "GET settings":
            (200, #"{"external":{"email":true,"phone":false},"disable_signup":false,"mailer_autoconfirm":false}"#)
        case "GET jwks.json": (200, #"{"keys":[]}"#)
        default: (404, "404 page not found\n")
        }
    }

    private static func refusal(_ status: Int, _ code: String, _ message: String) -> Answer {
        (status, #"{"code":\#(status),"error_code":"\#(code)","msg":"\#(message)"}"#)
    }

    private func mail(_ body: Body) -> Answer {
        guard let email = body.email, email.contains("@") else {
            return Self.refusal(400, "validation_failed", "Unable to validate email address: invalid format")
        }
        return state.withLock { state -> Answer in
            if let last = state.mails.last(where: { $0.email == email }) {
                let age = now().timeIntervalSince(last.sentAt)
                if (0..<60).contains(age) {
                    return Self.refusal(
                        429, "over_email_send_rate_limit",
                        "For security purposes, you can only request this after \(Int(60 - age)) seconds.")
                }
            }
            state.serial += 1
            let number = String(100_000 + state.serial)
            state.mails.append(
                Mail(
                    email: email, code: number,
                    token: "pkce_5f1d7e84cd2a0e7be96c4c9f2f8f0000000000000000000000\(number)",
                    challenge: body.codeChallenge, sentAt: now()))
            return (200, "{}")
        }
    }

    private func verify(_ body: Body) -> Answer {
        state.withLock { state -> Answer in
            let found = state.mails.indices.last { index in
                let mail = state.mails[index]
                return body.tokenHash.map { $0 == mail.token } ?? (mail.email == body.email)
            }
            guard let found, !state.mails[found].isUsed, now().timeIntervalSince(state.mails[found].sentAt) < 3_600,
                body.tokenHash != nil || state.mails[found].code == body.token
            else {
                return Self.refusal(
                    403, "otp_expired",
                    body.tokenHash == nil ? "Token has expired or is invalid" : "Email link is invalid or has expired")
            }
            state.mails[found].isUsed = true
            return open(state.mails[found].email, in: &state)
        }
    }

    private func exchange(_ body: Body) -> Answer {
        state.withLock { state -> Answer in
            guard let code = body.authCode, let mail = state.codes.removeValue(forKey: code) else {
                return Self.refusal(
                    404, "flow_state_not_found", "invalid flow state, no valid flow state found")
            }
            let digest = (try? SHA256.hash(Array((body.codeVerifier ?? "").utf8))) ?? []
            guard Self.base64URL(digest) == mail.challenge else {
                return Self.refusal(
                    400, "bad_code_verifier", "code challenge does not match previously saved code verifier")
            }
            return open(mail.email, in: &state)
        }
    }

    private func open(_ email: String, in state: inout State) -> Answer {
        state.serial += 1
        let id = "5a3cbb2f-5f4e-4bc9-8f2a-\(String(100_000_000_000 + state.serial))"
        state.families[id] = Family(email: email, rotatedAt: now())
        return tokens(id, in: state)
    }

    private func refresh(_ token: String) -> Answer {
        state.withLock { state -> Answer in
            let parts = token.split(separator: ".")
            guard parts.count == 2, let shown = Int(parts[1]), var family = state.families[String(parts[0])],
                !family.isOver
            else {
                return Self.refusal(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
            }
            let id = String(parts[0])
            if shown == family.generation {
                family.generation += 1
                family.rotatedAt = now()
            } else if shown != family.generation - 1 || now().timeIntervalSince(family.rotatedAt) > grace {
                family.isOver = true
                state.families[id] = family
                return Self.refusal(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
            }
            state.families[id] = family
            return tokens(id, in: state)
        }
    }

    private func tokens(_ id: String, in state: State) -> Answer {
        guard let family = state.families[id] else { return (500, "") }
        let expiry = Int(now().timeIntervalSince1970) + lifetime
        let claims =
            (try? JSONEncoder().encode(Claims(session: id, generation: family.generation, exp: expiry))) ?? Data()
        let access = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.\(Self.base64URL(Array(claims))).c2lnbmF0dXJl"
        return (
            200,
            """
            {"access_token":"\(access)","token_type":"bearer","expires_in":\(lifetime),"expires_at":\(expiry),
            "refresh_token":"\(id).\(family.generation)","user":\(Self.user(family.email)),"weak_password":null}
            """
        )
    }

    private func owner(_ request: HTTPRequest, in state: State) -> Result<String, WrongToken> {
        let parts = (request.headers["Authorization"] ?? "").split(separator: ".")
        guard parts.count == 3, let claims = Self.decoded(parts[1]), Double(claims.exp) > now().timeIntervalSince1970
        else { return .failure(WrongToken(answer: Self.refusal(403, "bad_jwt", "invalid JWT: token is expired"))) }
        guard let family = state.families[claims.session], !family.isOver else {
            let message = "Session from session_id claim in JWT does not exist"
            return .failure(WrongToken(answer: Self.refusal(403, "session_not_found", message)))
        }
        return .success(claims.session)
    }

    private struct WrongToken: Error { let answer: Answer }

    private func logout(_ request: HTTPRequest) -> Answer {
        state.withLock { state -> Answer in
            switch owner(request, in: state) {
            case .failure(let wrong): return wrong.answer
            case .success(let own):
                let scope = request.url.query() ?? ""
                for (id, family) in state.families where family.email == state.families[own]?.email {
                    guard scope.hasSuffix("global") || (id == own) == scope.hasSuffix("local") else { continue }
                    state.families[id]?.isOver = true
                }
                return (204, "")
            }
        }
    }

    private func user(_ request: HTTPRequest) -> Answer {
        state.withLock { state -> Answer in
            switch owner(request, in: state) {
            case .failure(let wrong): wrong.answer
            case .success(let own): (200, Self.user(state.families[own]?.email ?? ""))
            }
        }
    }

    private static func user(_ email: String) -> String {
        """
        {"id":"0b7fd1ac-5b7e-4a1c-9a0e-2f7d1f3a9f10","aud":"authenticated","role":"authenticated","email":"\(email)",
        "email_confirmed_at":"2026-01-01T00:00:00Z","phone":"","app_metadata":{"provider":"email","providers":["email"]},
        "user_metadata":{},"identities":[],"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z",
        "is_anonymous":false}
        """
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func decoded(_ text: Substring) -> Claims? {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padded = standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        return Data(base64Encoded: String(padded)).flatMap { try? JSONDecoder().decode(Claims.self, from: $0) }
    }
}
