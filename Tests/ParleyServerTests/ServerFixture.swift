// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Diagnostics
import Foundation
import Networking
import ParleyServer
import TestKit
import Testing

/// A server of its own, on a free port, with a clock that stands, and an HTTP client.
final class ServerFixture: Sendable {
    let home: TemporaryFolder
    let clock = VirtualAuthClock()
    let server: ParleyServer
    let client: CurlTransport
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    /// Of the verifier: RFC 7636 appendix B.
    let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    struct Tokens: Decodable, Sendable {
        let accessToken: String
        let tokenType: String
        let expiresIn: Int
        let refreshToken: String

        enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case tokenType = "token_type"
            case expiresIn = "expires_in"
            case refreshToken = "refresh_token"
        }
    }

    struct Problem: Decodable, Sendable {
        let status: Int
        let detail: String?
        let errorCode: String?
        let attemptsLeft: Int?
        let retryAfter: Int?

        enum CodingKeys: String, CodingKey {
            case status, detail
            case errorCode = "error_code"
            case attemptsLeft = "attempts_left"
            case retryAfter = "retry_after"
        }
    }

    init(
        home: TemporaryFolder? = nil, logger: Logger = .disabled, sounds: SoundPlace = .folder,
        _ change: (inout ServerOptions) -> Void = { _ in }
    ) async throws {
        let home = try home ?? TemporaryFolder()
        self.home = home
        var options = ServerOptions(home: home.path, mail: .folder(home.path + "/mail"))
        options.clock = clock.clock
        options.answerStep = .zero
        options.objects = try sounds.objects(of: home)
        change(&options)
        server = try await ParleyServer.start(options, logger: logger)
        client = try Self.makeClient()
    }

    static func makeClient() throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        return try CurlTransport(configuration: configuration)
    }

    func stop() async {
        await server.stop()
    }

    // MARK: Mail

    /// The names of the mails so far, in no order.
    var mailNames: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: home.path + "/mail/new")) }
    }

    /// A mail that was not there yet; waits for it.
    func mail(besides known: Set<String>) async throws -> String {
        var names: Set<String> = []
        try await eventually("a mail arrives") {
            names = try mailNames.subtracting(known)
            return !names.isEmpty
        }
        return try String(contentsOfFile: home.path + "/mail/new/" + #require(names.first), encoding: .utf8)
    }

    /// Asks for a mail and reads it.
    func askForMail(
        _ email: String = "ada@example.org", challenge: String? = nil, redirect: String? = nil,
        headers: HTTPHeaders = [:]
    ) async throws -> (link: String, code: String) {
        let before = try mailNames
        var body = ["email": email]
        if let challenge { (body["code_challenge"], body["code_challenge_method"]) = (challenge, "s256") }
        let path =
            "/otp"
            + (redirect.map {
                "?redirect_to=" + ($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
            } ?? "")
        let response = try await post(path, body, headers: headers)
        try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try Self.proofs(in: await mail(besides: before))
    }

    /// The link's token and the code of a mail; the code is empty where there is none.
    static func proofs(in mail: String) throws -> (link: String, code: String) {
        let link = try #require(mail.firstMatch(of: /token=([A-Za-z0-9_-]{43})&/)?.output.1)
        let code = mail.firstMatch(of: /\ {4}([0-9]{6})/)?.output.1 ?? ""
        return (String(link), String(code))
    }

    /// Presses the button of a link's page.
    func confirm(_ link: String) async throws -> (status: Int, headers: HTTPHeaders, body: [UInt8]) {
        try await send(
            .post, "/verify/confirm", body: Array("token=\(link)".utf8), type: "application/x-www-form-urlencoded")
    }

    /// The port that the server listens on.
    var port: Int { server.address.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

    // MARK: Requests

    func send(
        _ method: HTTPMethod, _ path: String, token: String? = nil, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
        type: String = "application/json"
    ) async throws -> (status: Int, headers: HTTPHeaders, body: [UInt8]) {
        var headers = headers
        if let token { headers["Authorization"] = "Bearer \(token)" }
        if body != nil { headers["Content-Type"] = type }
        let url = try #require(URL(string: server.address + path))
        var request = HTTPRequest(method, url, headers: headers, body: body.map { .bytes($0) } ?? .none)
        request.redirects = .stop
        let response = try await client.send(request)
        return (response.status, response.headers, try await response.body.collect(upTo: 8 << 20))
    }

    func get(_ path: String, token: String? = nil) async throws -> (status: Int, headers: HTTPHeaders, body: [UInt8]) {
        try await send(.get, path, token: token)
    }

    func post(
        _ path: String, _ fields: [String: String], token: String? = nil, headers: HTTPHeaders = [:]
    ) async throws -> (status: Int, headers: HTTPHeaders, body: [UInt8]) {
        try await send(.post, path, token: token, headers: headers, body: [UInt8](JSONEncoder().encode(fields)))
    }

    /// A request that signs in.
    func tokens(_ path: String, _ fields: [String: String]) async throws -> Tokens {
        let response = try await post(path, fields)
        try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try JSONDecoder().decode(Tokens.self, from: Data(response.body))
    }

    /// A request that is turned down.
    func problem(_ path: String, _ fields: [String: String], token: String? = nil) async throws -> Problem {
        try Self.problem(await post(path, fields, token: token))
    }

    static func problem(_ response: (status: Int, headers: HTTPHeaders, body: [UInt8])) throws -> Problem {
        #expect(response.headers["Content-Type"] == "application/problem+json")
        let problem = try JSONDecoder().decode(Problem.self, from: Data(response.body))
        #expect(problem.status == response.status)
        return problem
    }
}
