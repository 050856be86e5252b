// SPDX-License-Identifier: MIT

import AuthServer
import Foundation
import Security
import TestKit
import Testing

@testable import AuthServer
@testable import ParleyServer

/// The operator's own words for mails.
@Suite(.timeLimit(.minutes(5))) struct MailTemplateTests {
    private let folder: TemporaryFolder
    private static let good = "Open {{link}}\n{{#code}}or type {{code}} ({{code_minutes}} minutes)\n{{/code}}Bye\n"

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ files: [String: String]) throws {
        for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: folder.file(name))) }
    }

    private func message(
        _ templates: MailTemplates, kind: SignInMail.Kind = .signIn, code: String? = "271828"
    ) throws -> String {
        let composer = MailComposer(
            sender: try EmailAddress("parley@example.org"), address: "https://a.example/?x=1&y=<2>",
            templates: templates)
        let mail = SignInMail(
            kind: kind, recipient: nil, token: Sensitive("t"), code: code.map { Sensitive($0) },
            linkLifetime: .seconds(900), codeLifetime: .seconds(600))
        let bytes = composer.message(
            mail, to: try EmailAddress("ada@example.org"), at: AuthTime(milliseconds: 0), id: "id")
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The mistake of the folder, without the folder's path; nil if it has none.
    private func mistake() -> String? {
        do {
            _ = try MailTemplates(folder: folder.path)
            return nil
        } catch {
            return String(error.description.dropFirst(folder.path.count + 1))
        }
    }

    @Test func `text and page are alternatives, and values are escaped`() throws {
        try write([
            "sign-in.subject.txt": "Anmelden bei Parlöy\n", "sign-in.txt": Self.good,
            "sign-in.html": "<a href=\"{{link}}\">x</a>\n{{#code}}<b>{{code}}</b>{{/code}}\n",
        ])
        let templates = try MailTemplates(folder: folder.path)
        let text = try message(templates)
        #expect(text.contains("Subject: =?UTF-8?B?QW5tZWxkZW4gYmVpIFBhcmzDtnk=?=\r\n"))
        #expect(text.contains("Content-Type: multipart/alternative; boundary=\"parley-id\"\r\n\r\n--parley-id\r\n"))
        #expect(
            text.contains("Open https://a.example/?x=1&y=<2>/verify?token=t&type=magiclink\r\nor type 271828 (10 min"))
        #expect(
            text.contains("<a href=\"https://a.example/?x=1&amp;y=&lt;2&gt;/verify?token=t&amp;type=magiclink\">x</a>"))
        #expect(text.components(separatedBy: "--parley-id").count == 4 && text.hasSuffix("--parley-id--\r\n"))
        let bare = try message(templates, code: nil)
        #expect(bare.contains("magiclink\r\nBye\r\n") && bare.contains("</a>\r\n\r\n") && !bare.contains("<b>"))
        #expect(try message(templates, kind: .invitation).contains("You are invited to Parley."))
    }

    @Test func `text beyond ASCII travels in base 64`() throws {
        try write(["invitation.subject.txt": "Hi", "invitation.txt": "Grüezi!\n" + Self.good])
        let text = try message(MailTemplates(folder: folder.path), kind: .invitation)
        let parts = text.components(separatedBy: "\r\n\r\n")
        #expect(parts[0].contains("text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64"))
        let decoded = try #require(Data(base64Encoded: parts[1].replacing("\r\n", with: "")))
        #expect(String(decoding: decoded, as: UTF8.self).hasPrefix("Grüezi!\r\nOpen https://"))
        #expect(parts[1].split(separator: "\r\n").allSatisfy { $0.count <= 76 })
    }

    @Test func `without files the words are built in`() throws {
        let text = try message(MailTemplates(folder: folder.path))
        #expect(try text == message(MailTemplates()))
        #expect(text.contains("\r\nSubject: Sign in to Parley\r\n") && text.contains("\r\n    271828\r\n"))
    }

    @Test(arguments: [
        ("{{lnk}}", "sign-in.txt:1: This placeholder does not exist"),
        ("a\n{{ link }}", "sign-in.txt:2: This placeholder does not exist"),
        ("a\nb {{link", "sign-in.txt:2: {{ has no }}."),
        ("{{link}}\n{{code}}", "sign-in.txt:2: {{code}} stands outside"),
        ("{{#code}}{{code}}\n{{link}}\n", "sign-in.txt:1: {{#code}} has no {{/code}}."),
        ("{{link}}{{/code}}", "sign-in.txt:1: {{/code}} has no {{#code}}"),
        ("{{#code}}{{#code}}", "sign-in.txt:1: {{#code}} stands within"),
        ("{{#code}}{{code}}{{/code}}\n\n", "sign-in.txt:3: {{link}} is missing"),
        ("{{link}}", "sign-in.txt:1: {{code}} is missing"), ("a\n\u{7}", "sign-in.txt:2: The line has a control"),
        (String(repeating: "x", count: 65_537), "sign-in.txt:1: The file is longer than 64 KiB."),
    ])
    func `a mistake is named with file and line`(_ text: String, _ expected: String) throws {
        try write(["sign-in.subject.txt": "Hi", "sign-in.txt": text])
        #expect(mistake()?.hasPrefix(expected) == true, "\(mistake() ?? "none")")
    }

    @Test func `a folder is whole, and has no other names`() throws {
        try write(["sign-in.txt": Self.good])
        #expect(mistake()?.hasPrefix("sign-in.subject.txt:1: The file is missing") == true)
        try write(["sign-in.subject.txt": "Hi\nthere"])
        #expect(mistake() == "sign-in.subject.txt:2: A subject is one line.")
        try write(["sign-in.subject.txt": "{{address}}"])
        #expect(mistake()?.hasPrefix("sign-in.subject.txt:1: A subject takes {{server}} only") == true)
        try write(["sign-in.subject.txt": "Hi {{server}}", "invite.txt": ""])
        #expect(mistake()?.hasPrefix("invite.txt:1: No mail uses a file of this name") == true)
        try FileManager.default.removeItem(atPath: folder.file("invite.txt"))
        #expect(mistake() == nil)
        try Data([0xFF, 0xFE]).write(to: URL(filePath: folder.file("sign-in.txt")))
        #expect(mistake() == "sign-in.txt:1: The file is not UTF-8.")
    }

    @Test func `a mistake ends the server at its start`() throws {
        try write(["sign-in.subject.txt": "Hi", "sign-in.txt": "x"])
        let run = try ServerProcess.run([
            "serve", "--dev", "--port", "0", "--home", folder.file("home"), "--mail-templates", folder.path,
        ])
        #expect(run.code == 2)
        #expect(
            run.errors
                == "parley-server: \(folder.path)/sign-in.txt:1: {{link}} is missing: without it the mail is of no use.\n"
        )
    }
}
