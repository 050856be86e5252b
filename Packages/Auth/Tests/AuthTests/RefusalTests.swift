// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking
import NetworkingTestSupport
import Security
import Testing

@testable import Auth

/// What a server says, and what a person is told.
struct Refusal: Sendable, CustomTestStringConvertible {
    enum Call { case mail, code, link, exchange, refresh, user, sessions }

    let call: Call
    let status: Int
    let body: String
    let code: AuthError.Code
    var attempts: Int?
    var wait: Int?
    var headers: HTTPHeaders = [:]

    init(
        _ call: Call, _ status: Int, _ body: String, _ code: AuthError.Code, attempts: Int? = nil, wait: Int? = nil,
        headers: HTTPHeaders = [:]
    ) {
        (self.call, self.status, self.body, self.code) = (call, status, body, code)
        (self.attempts, self.wait, self.headers) = (attempts, wait, headers)
    }

    var testDescription: String { "\(call) \(status) \(body.prefix(60))" }

    static let gotrue = [
        Refusal(
            .code, 403, #"{"code":403,"error_code":"otp_expired","msg":"Token has expired or is invalid"}"#, .wrongCode),
        Refusal(
            .link, 403, #"{"code":403,"error_code":"otp_expired","msg":"Email link is invalid or has expired"}"#,
            .expired),
        Refusal(.code, 403, #"{"error_code":"otp_expired","attempts_left":0,"reason":"used"}"#, .alreadyUsed),
        Refusal(.link, 403, #"{"error_code":"otp_expired","attempts_left":0,"reason":"used"}"#, .alreadyUsed),
        Refusal(.code, 403, #"{"error_code":"otp_expired","attempts_left":0,"reason":"expired"}"#, .expired),
        Refusal(.link, 403, #"{"error_code":"otp_expired","attempts_left":0,"reason":"expired"}"#, .expired),
        Refusal(.code, 403, #"{"code":"otp_expired","message":"Token has expired or is invalid"}"#, .wrongCode),
        Refusal(
            .mail, 429,
            #"{"code":429,"error_code":"over_email_send_rate_limit","msg":"For security purposes, you can only request this after 47 seconds."}"#,
            .tooManyMails, wait: 47),
        Refusal(
            .mail, 429, #"{"code":429,"error_code":"over_email_send_rate_limit","msg":"email rate limit exceeded"}"#,
            .tooManyMails),
        Refusal(
            .code, 429, #"{"code":429,"error_code":"over_request_rate_limit","msg":"Request rate limit reached"}"#,
            .tooManyAttempts),
        Refusal(
            .mail, 400, #"{"code":400,"error_code":"email_address_invalid","msg":"Email address \"a@b\" is invalid"}"#,
            .invalidAddress),
        Refusal(.mail, 400, #"{"code":400,"error_code":"validation_failed","msg":"invalid format"}"#, .invalidAddress),
        Refusal(
            .mail, 400, #"{"code":400,"error_code":"validation_failed","msg":"redirect_to is not allowed"}"#,
            .invalidConfiguration),
        Refusal(.mail, 422, #"{"code":422,"error_code":"otp_disabled","msg":"Signups not allowed for otp"}"#, .refused),
        Refusal(
            .mail, 422, #"{"code":422,"error_code":"email_provider_disabled","msg":"Email logins are disabled"}"#,
            .unsupported),
        Refusal(
            .refresh, 400,
            #"{"code":400,"error_code":"refresh_token_not_found","msg":"Invalid Refresh Token: Refresh Token Not Found"}"#,
            .signedOut),
        Refusal(
            .refresh, 400,
            #"{"code":400,"error_code":"refresh_token_already_used","msg":"Invalid Refresh Token: Already Used"}"#,
            .reused),
        Refusal(
            .refresh, 400,
            #"{"code":400,"error_code":"session_expired","msg":"Invalid Refresh Token: Session Expired"}"#, .signedOut),
        Refusal(.refresh, 400, #"{"error":"invalid_grant","error_description":"Invalid Refresh Token"}"#, .signedOut),
        Refusal(
            .refresh, 401, #"{"message":"No API key found in request","hint":"No `apikey` request header"}"#, .refused),
        Refusal(
            .user, 403,
            #"{"code":403,"error_code":"session_not_found","msg":"Session from session_id claim in JWT does not exist"}"#,
            .signedOut),
        Refusal(
            .user, 403, #"{"code":403,"error_code":"bad_jwt","msg":"invalid JWT: token is expired"}"#, .unauthorized),
        Refusal(
            .user, 401, #"{"code":401,"error_code":"no_authorization","msg":"This endpoint requires a Bearer token"}"#,
            .unauthorized),
        Refusal(
            .exchange, 404,
            #"{"code":404,"error_code":"flow_state_not_found","msg":"invalid flow state, no valid flow state found"}"#,
            .alreadyUsed),
        Refusal(
            .exchange, 403,
            #"{"code":403,"error_code":"flow_state_expired","msg":"invalid flow state, flow state has expired"}"#,
            .expired),
        Refusal(
            .exchange, 400,
            #"{"code":400,"error_code":"bad_code_verifier","msg":"code challenge does not match previously saved code verifier"}"#,
            .wrongDevice),
        Refusal(.sessions, 404, "404 page not found", .unsupported),
        Refusal(.user, 504, "<html>Gateway Time-out</html>", .server),
    ]

    static let parley = [
        Refusal(
            .code, 403,
            #"{"type":"about:blank","title":"Forbidden","status":403,"detail":"The code is wrong.","error_code":"otp_expired","attempts_left":3}"#,
            .wrongCode, attempts: 3),
        Refusal(.code, 403, #"{"status":403,"error_code":"otp_expired","attempts_left":0}"#, .expired),
        Refusal(.code, 403, #"{"error_code":"otp_expired","attempts_left":-1}"#, .wrongCode),
        Refusal(.code, 403, #"{"error_code":"otp_expired","attempts_left":"many"}"#, .wrongCode),
        Refusal(.code, 403, #"{"error_code":"otp_expired","attempts_left":1e99}"#, .wrongCode),
        Refusal(.mail, 429, #"{"error_code":"over_email_send_rate_limit","retry_after":90}"#, .tooManyMails, wait: 90),
        Refusal(
            .mail, 429, #"{"error_code":"over_email_send_rate_limit"}"#, .tooManyMails, wait: 120,
            headers: ["Retry-After": "120"]),
        Refusal(.mail, 429, "", .tooManyMails, wait: 86_400, headers: ["Retry-After": "999999999"]),
        Refusal(.mail, 429, "", .tooManyMails, headers: ["Retry-After": "-1"]),
        Refusal(
            .code, 429, "", .tooManyAttempts, wait: 60, headers: ["Retry-After": "Thu, 01 Jan 2026 00:01:00 GMT"]),
        Refusal(.link, 403, #"{"error_code":"bad_code_verifier"}"#, .wrongDevice),
    ]

    static let hostile = [
        "", "null", "{}", "[]", "{", #"{"error_code":null,"code":{}}"#, #"{"error_code":"refresh_token_not_found"#,
        #"{"error_code":"signed out\u0000"}"#, #"{"msg":"refresh_token_not_found"}"#, "refresh_token_not_found",
        #"{"error_code":["session_not_found"]}"#, "<title>Sign in to the café</title>",
    ]
}

@Suite struct RefusalTests {
    private func failure(_ refusal: Refusal) async throws -> AuthError {
        let transport = ScriptedTransport(answer(refusal.status, refusal.body, refusal.headers))
        let now = ClientClock(ContinuousClock()) { Date(timeIntervalSince1970: 1_767_225_600) }
        let client = try GoTrueClient(baseURL: try #require(base), transport: transport, clock: now)
        let (secret, token) = (Sensitive("s"), Sensitive("t"))
        return try #require(
            await AuthTests.failure {
                switch refusal.call {
                case .mail: try await client.requestMail(to: "a@b.example", challenge: "c")
                case .code: _ = try await client.verify(code: "123456", of: "a@b.example")
                case .link: _ = try await client.verify(tokenHash: token, verifier: secret)
                case .exchange: _ = try await client.exchange(authCode: token, verifier: secret)
                case .refresh: _ = try await client.refresh(token)
                case .user: _ = try await client.user(accessToken: token)
                case .sessions: _ = try await client.sessions(accessToken: token)
                }
            })
    }

    @Test(arguments: Refusal.gotrue + Refusal.parley)
    func `a refusal says what a person can do`(_ refusal: Refusal) async throws {
        let error = try await failure(refusal)
        #expect(error.code == refusal.code)
        #expect(error.attemptsLeft == refusal.attempts)
        #expect(error.retryAfter == refusal.wait.map { .seconds($0) })
        #expect(error.until == refusal.wait.map { Date(timeIntervalSince1970: 1_767_225_600 + Double($0)) })
        #expect(error.status == refusal.status && !error.message.isEmpty)
    }

    @Test(arguments: Refusal.hostile, [200, 302, 400, 401, 403, 404, 429, 500, 511])
    func `only a code that says so ends a session, no status and no garbage`(_ body: String, _ status: Int) async throws
    {
        let error = try await failure(Refusal(.refresh, status, body, .server))
        #expect(!error.endsSession)
        #expect(!error.description.contains("café"))
    }

    @Test(arguments: [
        (NetworkError.Code.resolve, AuthError.Code.noNetwork), (.connect, .noNetwork), (.connectionLost, .noNetwork),
        (.firstByteTimeout, .noNetwork), (.timeout, .noNetwork), (.certificate, .notTrusted), (.pin, .notTrusted),
        (.invalidResponse, .server),
    ])
    func `a fault of the network is told from the server's word`(_ code: NetworkError.Code, _ wanted: AuthError.Code)
        async throws
    {
        let transport = ScriptedTransport { _ in throw NetworkError(code: code, message: "m") }
        let client = try GoTrueClient(baseURL: try #require(base), transport: transport)
        let error = await AuthTests.failure { try await client.refresh(Sensitive("t")) }
        #expect(error?.code == wanted && error?.endsSession == false)
        #expect((error?.asNetworkError.code).map { $0 == code } == true)
    }

    @Test func `cancelling is not an error of the server's`() async throws {
        let transport = ScriptedTransport { _ in throw CancellationError() }
        let client = try GoTrueClient(baseURL: try #require(base), transport: transport)
        await #expect(throws: CancellationError.self) { try await client.refresh(Sensitive("t")) }
    }
}
