// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import StructuredJSON
import TestKit
import Testing

/// `parley chat --attach` and `/attach`.
@Suite struct ChatAttachmentTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]

    /// Writes files into the fixture's folder and returns their paths.
    private func files(_ chat: ChatFixture) throws -> (text: String, picture: String, pdf: String, program: String) {
        func write(_ name: String, _ bytes: [UInt8]) throws -> String {
            try Data(bytes).write(to: URL(filePath: chat.parley.path(name)))
            return chat.parley.path(name)
        }
        return (
            try write("notes.txt", Array("buy milk".utf8)), try write("dot.png", Self.png),
            try write("report.pdf", Array("%PDF-1.7".utf8)), try write("program", [0x7F, 0x45, 0x4C, 0x46, 0])
        )
    }

    @Test(arguments: [Scenario.Dialect.openAI, .llamaCpp])
    func `text, a picture and a PDF reach the model before the question`(_ dialect: Scenario.Dialect) async throws {
        try await ChatFixture.using(dialect: dialect) { chat in
            let files = try files(chat)
            let result = try await chat.run(
                "chat", "See this", "--attach", files.text, "--attach", files.picture, "--attach", files.pdf)
            #expect(result.code == 0, "\(result.errors)")
            for word in ["See this", "image/png of 9 bytes", "report.pdf (application/pdf of 8 bytes)"] {
                #expect(result.output.contains(word), "\(result.output)")
            }
            let request = try #require(chat.simulator.requests.last?.json)
            #expect(request.text.contains("buy milk") && request.text.contains("base64,iVBORw0KGgoA"))
        }
    }

    @Test func `a resumed chat has its files`() async throws {
        try await ChatFixture.using { chat in
            let files = try files(chat)
            let first = try await chat.run("chat", "See this", "--attach", files.picture, "--attach", files.text)
            #expect(first.code == 0, "\(first.errors)")
            #expect(try await chat.run("chat", "--continue", "And now?").code == 0)
            let request = try #require(chat.simulator.requests.last?.json)
            #expect(request.text.contains("buy milk") && request.text.contains("base64,iVBORw0KGgoA"))
            let list = try await chat.run("conversations", "list", "--json").events.first
            let name = (list?["conversations"] as? [[String: Any]])?.first?["id"] as? String
            let shown = try await chat.run("conversations", "show", try #require(name), "--json")
            let messages = shown.events.first?["messages"] as? [[String: Any]]
            let names = (messages?.first?["attachments"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
            #expect(names == ["dot.png", "notes.txt"], "\(shown)")
            let archive = chat.parley.path("all.tar")
            #expect(try await chat.run("data", "export", archive, "--offline").code == 0)
            let tar = try ChildProcess("tar", ["-tf", archive], errors: .captured).finish()
            #expect(tar.output.contains("-1-dot.png") && tar.output.contains("-2-notes.txt"), "\(tar)")
        }
    }

    @Test func `what cannot be attached is refused before anything is sent`() async throws {
        try await ChatFixture.using { chat in
            let files = try files(chat)
            let kind = try await chat.run("chat", "Hi", "--attach", files.program, "--json")
            let error = kind.events.first?["error"] as? [String: Any]
            #expect(kind.code == 2 && error?["code"] as? String == "attachment.kind", "\(kind)")
            #expect((error?["message"] as? String)?.contains("PNG, JPEG, GIF and WebP") == true, "\(kind)")
            let missing = try await chat.run("chat", "Hi", "--attach", chat.parley.path("missing"))
            #expect(missing.code == 6, "\(missing)")
            let blind = try await chat.run("chat", "Hi", "--attach", files.picture, "--model", "gpt-5-nano")
            #expect(blind.code == 2 && blind.errors.contains("reads no pictures"), "\(blind)")
            let local = try await chat.run("chat", "Hi", "--offline", "--no-history", "--attach", files.text)
            #expect(local.code == 2 && local.errors.contains("reads no files"), "\(local)")
            #expect(chat.simulator.requests.isEmpty)
        }
    }

    @Test func `a server's refusal of a file is explained`() async throws {
        try await ChatFixture.using([.init(faults: [.status(400)])]) { chat in
            let result = try await chat.run("chat", "Hi", "--attach", try files(chat).pdf)
            #expect(result.code == 3 && result.errors.contains("may not read such files"), "\(result)")
        }
    }

    @Test func `a file that is attached at the prompt goes with the next question alone`() async throws {
        try await ChatFixture.using { chat in
            let terminal = try chat.terminal("chat")
            let picture = try files(chat).picture
            try await terminal.shows("› ")
            try terminal.type("/attach \(picture)\r")
            try await terminal.shows("goes with the next question")
            try await terminal.shows("› ")
            try terminal.type("See this\r")
            try await terminal.shows("image/png of 9 bytes")
            try await terminal.shows("› ")
            try terminal.type("And now\r")
            try await terminal.shows("“And now”")
            try await terminal.shows("› ")
            try terminal.type("/quit\r")
            #expect(await terminal.code() == 0, "\(terminal.text)")
            let images = chat.simulator.requests.compactMap(\.json).map { $0.text.split(separator: "iVBOR").count - 1 }
            #expect(images == [1, 1], "it stays in the conversation, once")
        }
    }
}
