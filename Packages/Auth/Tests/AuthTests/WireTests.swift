// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking
import NetworkingTestSupport
import Security
import Testing

@testable import Auth

@Suite struct WireTests {
    private func client(_ transport: ScriptedTransport, apiKey: String? = nil) throws -> GoTrueClient {
        try GoTrueClient(baseURL: try #require(base), apiKey: apiKey, transport: transport)
    }

    @Test func `a mail is asked for with an S256 challenge and a place to come back to`() async throws {
        let transport = ScriptedTransport(answer(200, "{}"))
        try await client(transport, apiKey: "anon").requestMail(
            to: "ada+x@example.org", challenge: "c", redirect: URL(string: "http://127.0.0.1:1234/signed-in?state=a-b"))
        let request = try #require(transport.requests.first)
        #expect(request.method == .post)
        #expect(
            request.url.absoluteString
                == "https://project.example/auth/v1/otp?redirect_to=http%3A%2F%2F127.0.0.1%3A1234%2Fsigned-in%3Fstate%3Da-b"
        )
        #expect(
            request.json == "code_challenge=c code_challenge_method=s256 create_user=true email=ada+x@example.org")
        #expect(request.headers["apikey"] == "anon")
        #expect(request.headers["Authorization"] == nil && request.headers["Content-Type"] == "application/json")
        #expect(!request.options.isAuthorized && request.options.isRepeatable == false)
    }

    @Test func `every call has GoTrue's path, query and members`() async throws {
        let transport = ScriptedTransport { request in
            let path = request.url.path()
            let body =
                if path.hasSuffix("jwks.json") {
                    #"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"k","x":"eA"}]}"#
                } else if path.hasSuffix("sessions") {
                    #"[{"id":"s","device":"d","created_at":"2026-01-01T00:00:00Z","is_current":true,"new":[]}]"#
                } else if path.hasSuffix("user") { Published.user } else if path.hasSuffix("settings") {
                    #"{"external":{"email":true,"phone":false},"disable_signup":true,"mailer_autoconfirm":false}"#
                } else { Published.tokens() }
            return HTTPResponse(status: 200, url: request.url, body: HTTPResponseBody(Array(body.utf8)))
        }
        let client = try client(transport)
        let grant = try await client.verify(code: "123456", of: "ada@example.org")
        _ = try await client.verify(tokenHash: Sensitive("h"), type: "magiclink", verifier: Sensitive("v"))
        _ = try await client.exchange(authCode: Sensitive("a"), verifier: Sensitive("v"))
        _ = try await client.refresh(Sensitive("r"))
        try await client.signOut(.others, accessToken: Sensitive("t"))
        let user = try await client.user(accessToken: Sensitive("t"))
        let settings = try await client.settings()
        let keys = try await client.keys()
        let sessions = try await client.sessions(accessToken: Sensitive("t"))
        try await client.revoke(session: "a/b", accessToken: Sensitive("t"))
        let seen = transport.requests.map { request in
            let path = request.url.absoluteString.dropFirst("https://project.example/auth/v1/".count)
            return "\(request.method) \(path) \(request.json) \(request.headers["Authorization"] ?? "-")"
        }
        #expect(
            seen == [
                "POST verify email=ada@example.org token=123456 type=email -",
                "POST verify code_verifier=v token_hash=h type=magiclink -",
                "POST token?grant_type=pkce auth_code=a code_verifier=v -",
                "POST token?grant_type=refresh_token refresh_token=r -",
                "POST logout?scope=others  Bearer t", "GET user  Bearer t", "GET settings  -",
                "GET .well-known/jwks.json  -", "GET sessions  Bearer t", "DELETE sessions/a%2Fb  Bearer t",
            ])
        #expect(grant.refreshToken.exposed == "r1" && grant.session == "s" && grant.lifetime == .seconds(3_600))
        #expect(user.email == "ada@example.org" && !"\(user)".contains("ada"))
        #expect(settings.allowsEmail && !settings.allowsSignUp)
        #expect(keys.map(\.kid) == ["k"] && sessions.map(\.isCurrent) == [true])
        #expect(sessions.map(\.createdAt) == [Date(timeIntervalSince1970: 1_767_225_600)])
    }

    @Test(arguments: [
        (#","expires_in":60"#, 60), (#","expires_in":-5"#, 10), (#","expires_in":1e300"#, 86_400),
        (#","expires_at":1767225900"#, 300), (#","expires_in":"soon""#, 900), ("", 900),
    ])
    func `how long a token lives never depends on this machine's calendar`(_ members: String, _ seconds: Int)
        async throws
    {
        // {"iat":1000,"exp":1900}; the answer's Date is 2026-01-01 00:00.
        let access = "eyJhbGciOiJIUzI1NiJ9.eyJpYXQiOjEwMDAsImV4cCI6MTkwMH0.c2ln"
        let transport = ScriptedTransport(
            answer(
                200, #"{"access_token":"\#(access)","refresh_token":"r"\#(members)}"#,
                ["Date": "Thu, 01 Jan 2026 00:00:00 GMT"]))
        #expect(try await client(transport).refresh(Sensitive("r")).lifetime == .seconds(seconds))
    }

    @Test(arguments: [
        "", "null", "[]", "{}", "<html>", #"{"access_token":1,"refresh_token":"r"}"#, #"{"access_token":"a"}"#,
        #"{"access_token":"a\r\nX: y","refresh_token":"r"}"#, #"{"access_token":"","refresh_token":"r"}"#,
        #"{"access_token":"a b","refresh_token":"r"}"#, String(repeating: "[", count: 100_000), "\u{0}\u{1}",
    ])
    func `an answer that is none is a typed error without its text`(_ body: String) async throws {
        let error = await failure { try await client(ScriptedTransport(answer(200, body))).refresh(Sensitive("r")) }
        #expect(error?.code == .server)
        #expect(error?.description.contains("html") == false)
    }

    @Test func `a body without end is cut`() async throws {
        let body = String(repeating: " ", count: 2 << 20)
        for status in [200, 400] {
            let error = await failure {
                try await client(ScriptedTransport(answer(status, body))).refresh(Sensitive("r"))
            }
            #expect(error != nil && error?.endsSession == false)
        }
    }

    @Test func `a base address must be safe`() throws {
        let transport = ScriptedTransport()
        for text in [
            "http://auth.example.org", "https://ada@auth.example.org", "https://auth.example.org?a=b",
            "https://auth.example.org#a", "ftp://auth.example.org", "auth.example.org",
        ] {
            let url = try #require(URL(string: text))
            #expect(throws: AuthError.self) { try GoTrueClient(baseURL: url, transport: transport) }
        }
        for text in ["https://auth.example.org/", "http://127.0.0.1:8080", "http://localhost:1/auth"] {
            _ = try GoTrueClient(baseURL: try #require(URL(string: text)), transport: transport)
        }
    }

    @Test func `a redirect is not followed`() async throws {
        let transport = ScriptedTransport(answer(302, "", ["Location": "https://evil.example"]))
        #expect(await failure { try await client(transport).user(accessToken: Sensitive("t")) }?.code == .server)
        #expect(transport.requests.first?.redirects == .stop)
    }

    @Test func `a verifier and its challenge are those of RFC 7636, appendix B`() throws {
        let pair = try PKCE(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(pair.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        let (one, other) = (try PKCE(), try PKCE())
        #expect(one.verifier.exposed.utf8.count == 43 && one.verifier.exposed != other.verifier.exposed)
    }
}
