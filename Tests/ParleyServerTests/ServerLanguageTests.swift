// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Concurrency
import Diagnostics
import Foundation
import Localization
import Networking
import Security
import TestKit
import Testing

@testable import AuthServer
@testable import ParleyServer

/// Sign-in pages and mails in the languages of the catalogues in l10n/parley-server.
@Suite(.timeLimit(.minutes(5))) struct ServerLanguageTests {
    private static let subjects = [
        "de": "Bei Parley anmelden", "es": "Iniciar sesión en Parley", "ar": "تسجيل الدخول إلى Parley",
        "ja": "Parley へのサインイン",
    ]
    private let folder: TemporaryFolder
    private let catalogues: CatalogueFinder

    init() throws {
        folder = try TemporaryFolder()
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let build = try ChildProcess(
            root.appending(path: "Scripts/l10n").path, ["build", folder.path, "--domain", "parley-server"],
            errors: .captured
        ).finish()
        try #require(build.code == 0, "\(build.errors)")
        catalogues = CatalogueFinder(domain: "parley-server", buildFolder: folder.path, systemFolder: nil)
    }

    private func server(_ change: (inout ServerOptions) -> Void = { _ in }) async throws -> ServerFixture {
        try await ServerFixture {
            $0.catalogues = catalogues
            change(&$0)
        }
    }

    /// The subject and the text of a mail, decoded.
    private func words(_ mail: String) throws -> (subject: String, text: String) {
        let parts = mail.components(separatedBy: "\r\n\r\n")
        let field = try #require(parts[0].firstMatch(of: /Subject: ((?:.|\r\n )*)\r\n/)?.output.1)
        let subject = field.components(separatedBy: "\r\n ").map { word in
            guard word.hasPrefix("=?UTF-8?B?") else { return word }
            let data = Data(base64Encoded: String(word.dropFirst(10).dropLast(2))) ?? Data()
            return String(decoding: data, as: UTF8.self)
        }.joined()
        let content = parts.dropFirst().joined(separator: "\r\n\r\n")
        guard parts[0].contains("base64") else { return (subject, content) }
        let data = try #require(Data(base64Encoded: content.replacing("\r\n", with: "")))
        return (subject, String(decoding: data, as: UTF8.self))
    }

    private func mail(
        from fixture: ServerFixture, _ language: String?, to address: String = "ada@example.org"
    ) async throws -> (subject: String, text: String) {
        let before = try fixture.mailNames
        let headers: HTTPHeaders = language.map { ["Accept-Language": $0] } ?? [:]
        #expect(try await fixture.post("/otp", ["email": address], headers: headers).status == 200)
        return try words(await fixture.mail(besides: before))
    }

    private func page(from fixture: ServerFixture, _ language: String?, token: String) async throws -> String {
        let headers: HTTPHeaders = language.map { ["Accept-Language": $0] } ?? [:]
        let answer = try await fixture.send(.get, "/verify?token=\(token)", headers: headers)
        return String(decoding: answer.body, as: UTF8.self)
    }

    @Test(arguments: ["de", "es", "ar", "ja"]) func `page and mail are in the language of the request`(
        tag: String
    ) async throws {
        let fixture = try await server()
        let subject = try #require(Self.subjects[tag])
        let mail = try await mail(from: fixture, "xx, \(tag);q=0.8, en;q=0.2")
        #expect(mail.subject == subject)
        #expect(!mail.text.contains("The link") && !mail.text.contains("{"), "\(mail.text)")
        #expect(mail.text.contains("15") && mail.text.contains("10"), "\(mail.text)")
        let (link, code) = try ServerFixture.proofs(in: mail.text)
        #expect(code.count == 6)
        let page = try await page(from: fixture, "\(tag)-XX", token: link)
        #expect(page.contains("<html lang=\"\(tag)\" dir=\"\(tag == "ar" ? "rtl" : "ltr")\">"), "\(page)")
        #expect(page.contains("<h1>\(subject)</h1>") && !page.contains("Somebody"), "\(page)")
        let refused = try await fixture.send(
            .post, "/verify/confirm", headers: ["Accept-Language": tag],
            body: Array("token=\(String(repeating: "A", count: 43))".utf8), type: "application/x-www-form-urlencoded")
        let text = String(decoding: refused.body, as: UTF8.self)
        #expect(refused.status == 403 && text.contains("lang=\"\(tag)\"") && !text.contains("This link"), "\(text)")
        await fixture.stop()
    }

    @Test(arguments: [
        nil, "", "fr, nl;q=0.9", "*", "de;q=0", "de;q=2", "de;q=0.5555", "de;q=-1, ja;q=x", "../../de",
        ";;;,,,", String(repeating: "x-y,", count: 1_500) + "de",
    ])
    func `another or invalid language is English`(_ language: String?) async throws {
        let fixture = try await server()
        let headers: HTTPHeaders = language.map { ["Accept-Language": $0] } ?? [:]
        let answer = try await fixture.send(
            .get, "/verify?token=\(String(repeating: "A", count: 43))", headers: headers)
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(page.contains("<html lang=\"en\" dir=\"ltr\">") && page.contains("<h1>Sign in to Parley</h1>"))
        #expect(try await mail(from: fixture, language).subject == "Sign in to Parley")
        await fixture.stop()
    }

    @Test func `a header of 10 kB is refused before it is read`() async throws {
        let fixture = try await server()
        for language in [String(repeating: "de,", count: 3_500), String(repeating: "x", count: 10 << 10)] {
            let answer = try await fixture.post(
                "/otp", ["email": "ada@example.org"], headers: ["Accept-Language": language])
            #expect(answer.status == 431)
        }
        #expect(try await mail(from: fixture, "de").subject == Self.subjects["de"])
        await fixture.stop()
    }

    @Test func `every word of pages and mails has a translation`() async throws {
        let fixture = try await server()
        let mail = try await mail(from: fixture, "en-XA")
        let lines = mail.text.split(separator: "\r\n").filter { !$0.hasPrefix("http") && !$0.hasPrefix("    ") }
        #expect(lines.count == 5 && lines.allSatisfy { $0.hasPrefix("[") && $0.hasSuffix("]") }, "\(mail.text)")
        #expect(mail.subject.hasPrefix("[Šîĝñ"))
        let link = try ServerFixture.proofs(in: mail.text).link
        for token in [link, "short"] {
            let page = try await page(from: fixture, "en-XA", token: token)
            let texts = page.matches(of: /<(?:title|h1|p|button)>([^<]+)</).map(\.output.1)
            #expect(texts.count >= 3 && texts.allSatisfy { $0.hasPrefix("[") && $0.hasSuffix("]") }, "\(page)")
        }
        let mirrored = try await page(from: fixture, "en-XB", token: link)
        #expect(mirrored.contains("<html lang=\"en-XB\" dir=\"rtl\">"))
        await fixture.stop()
    }

    @Test func `an account's language precedes the request's`() async throws {
        let fixture = try await server()
        let proofs = try await fixture.askForMail()
        let tokens = try await fixture.tokens(
            "/verify", ["type": "email", "email": "ada@example.org", "token": proofs.code])
        let change = try await fixture.send(
            .put, "/user", token: tokens.accessToken, body: Array(#"{"data":{"language":"ja"}}"#.utf8))
        #expect(change.status == 200)
        #expect(try await mail(from: fixture, "de").subject == Self.subjects["ja"])
        let other = try await fixture.send(
            .put, "/user", token: tokens.accessToken, body: Array(#"{"data":{"language":"klingon"}}"#.utf8))
        #expect(other.status == 200)
        #expect(try await mail(from: fixture, "de").subject == Self.subjects["de"])
        await fixture.stop()
    }

    @Test func `an invitation is in the language of the account`() throws {
        let composer = MailComposer(
            sender: try EmailAddress("parley@example.org"), address: "https://a.example",
            languages: ServerLanguages(catalogues, logger: .disabled))
        let metadata = try AccountMetadata(json: Array(#"{"language":"ar"}"#.utf8))
        let invitation = SignInMail(
            kind: .invitation, recipient: nil, token: Sensitive("t"), code: nil, linkLifetime: .seconds(120),
            codeLifetime: .seconds(60), acceptLanguage: metadata.language)
        let bytes = composer.message(
            invitation, to: try EmailAddress("ada@example.org"), at: AuthTime(milliseconds: 0), id: "id")
        let mail = try words(String(decoding: bytes, as: UTF8.self))
        #expect(mail.subject == "دعوة إلى Parley" && mail.text.contains("دقيقتين"), "\(mail)")
        #expect(try AccountMetadata(json: Array(#"{"language":5}"#.utf8)).language == nil)
    }

    @Test(arguments: [
        ("de", "Dies ist eine Einladung zu Parley."), ("ja", "Parley に招待されました。"), ("klingon", "You are invited"),
    ])
    func `the route of invitations mails in the language of its metadata`(tag: String, text: String) async throws {
        let fixture = try await server { $0.administration = .public }
        var options = ServerOptions(home: fixture.home.path, mail: .folder(""))
        options.clock = fixture.clock.clock
        let administration = try await ServerAdministration.open(options)
        let token = try await withCleanup {
            try administration.issueToken(lifetime: .seconds(3_600)).token
        } cleanup: {
            await administration.close()
        }
        let before = try fixture.mailNames
        let answer = try await fixture.send(
            .post, "/invite", token: token, headers: ["Accept-Language": "es"],
            body: Array(#"{"email":"bob@example.org","data":{"language":"\#(tag)"}}"#.utf8))
        #expect(answer.status == 200)
        let mail = try words(await fixture.mail(besides: before))
        #expect(mail.text.hasPrefix(text), "\(mail)")
        await fixture.stop()
    }

    @Test func `the operator's words precede every language`() async throws {
        let words = try TemporaryFolder()
        try Data("Hi".utf8).write(to: URL(filePath: words.file("sign-in.subject.txt")))
        try Data("{{link}} {{#code}}{{code}}{{/code}}".utf8).write(to: URL(filePath: words.file("sign-in.txt")))
        let fixture = try await server { $0.mailTemplates = words.path }
        #expect(try await mail(from: fixture, "de").subject == "Hi")
        await fixture.stop()
    }

    @Test func `a damaged catalogue leaves English`() async throws {
        let path = folder.file("de/LC_MESSAGES/parley-server.mo")
        try FileManager.default.removeItem(atPath: path)
        try Data("nonsense".utf8).write(to: URL(filePath: path))
        let fixture = try await server()
        #expect(try await mail(from: fixture, "de").subject == "Sign in to Parley")
        #expect(try await mail(from: fixture, "es").subject == Self.subjects["es"])
        await fixture.stop()
    }
}
