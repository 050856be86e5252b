// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit
import Testing

@testable import ParleyServer

/// The metadata that a person's programs store at the account.
@Suite(.timeLimit(.minutes(5))) struct UserMetadataTests {
    private struct User: Decodable, Equatable {
        struct App: Decodable, Equatable {
            let provider: String
            let providers: [String]
        }

        let app: App
        let user: [String: String]

        enum CodingKeys: String, CodingKey {
            case app = "app_metadata"
            case user = "user_metadata"
        }
    }

    private let fixture: ServerFixture

    init() async throws {
        fixture = try await ServerFixture()
    }

    private func put(_ body: String, as person: Person) async throws -> Answer {
        try await fixture.send(.put, "/user", token: person.token, body: Array(body.utf8))
    }

    private func user(_ answer: Answer) throws -> User {
        try #require(answer.status == 200, "\(text(answer))")
        return try JSONDecoder().decode(User.self, from: Data(answer.body))
    }

    @Test func `members are changed, kept and taken away`() async throws {
        let ada = try await fixture.signIn("ada@example.org")
        let before = try user(await fixture.get("/user", token: ada.token))
        #expect(before == User(app: .init(provider: "email", providers: ["email"]), user: [:]))
        #expect(
            try user(await put(#"{"data":{"name":"Ada","theme":"dark"}}"#, as: ada)).user == [
                "name": "Ada", "theme": "dark",
            ])
        #expect(
            try user(await put(#"{"data":{"theme":null,"ä/\u202e":"\u0000"},"email":null}"#, as: ada)).user
                == ["name": "Ada", "ä/\u{202E}": "\u{0}"])
        let bob = try await fixture.signIn("bob@example.org")
        #expect(try user(await fixture.get("/user", token: bob.token)).user.isEmpty)
        await fixture.stop()
        let again = try await ServerFixture(home: fixture.home)
        let kept = try await again.get("/user", token: ada.token)
        // The address in the token was that of a port that is gone.
        #expect(kept.status == 401)
        let mail = try await again.signIn("ada@example.org")
        #expect(try user(await again.get("/user", token: mail.token)).user["name"] == "Ada")
        await again.stop()
    }

    @Test(arguments: [
        "", "{}", "[]", "null", #"{"data":null}"#, #"{"data":7}"#, #"{"data":[]}"#, #"{"data":"x"}"#,
        #"{"data":{},"email":"eve@example.org"}"#, #"{"data":{},"password":"x"}"#, #"{"phone":"+49"}"#,
        #"{"data":{"a":"\ud800"}}"#,
    ]) func `what cannot be changed is refused`(_ body: String) async throws {
        let ada = try await fixture.signIn("ada@example.org")
        let answer = try await put(body, as: ada)
        #expect(answer.status == 400, "\(text(answer))")
        _ = try ServerFixture.problem(answer)
        #expect(try user(await fixture.get("/user", token: ada.token)).user.isEmpty)
        await fixture.stop()
    }

    /// A letter with a thousand accents is one character and two thousand bytes.
    @Test func `the limit counts bytes of all members`() async throws {
        let ada = try await fixture.signIn("ada@example.org")
        let accents = "a" + String(repeating: "\u{301}", count: 1_500)
        for name in ["a", "b"] {
            #expect(try await put(#"{"data":{"\#(name)":"\#(accents)"}}"#, as: ada).status == 200)
        }
        let third = try await put(#"{"data":{"c":"\#(accents)"}}"#, as: ada)
        #expect(third.status == 400 && text(third).contains("data is too long"))
        #expect(try await put(#"{"data":{"a":null,"c":"\#(accents)"}}"#, as: ada).status == 200, "in place of another")
        #expect(try await put(#"{"data":{"d":"\#(String(repeating: "x", count: 17_000))"}}"#, as: ada).status == 413)
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        #expect(text(try await put(#"{"data":{"d":\#(deep)}}"#, as: ada)).contains("data is too deep"))
        let deepest = String(repeating: "[", count: 7_000) + String(repeating: "]", count: 7_000)
        #expect(try await put(#"{"data":{"d":\#(deepest)}}"#, as: ada).status == 400)
        #expect(try user(await fixture.get("/user", token: ada.token)).user.keys.sorted() == ["b", "c"])
        await fixture.stop()
    }

    @Test func `health names the server`() async throws {
        let answer = try await fixture.get("/health")
        #expect(answer.status == 200)
        #expect(text(answer).contains(#""name":"Parley""#))
        await fixture.stop()
    }
}
