// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPServer
import LocalPage
import TerminalKit
import Testing

@testable import parley

@Suite("What the page may run") struct PageCommandsTests {
    @Test func `words become a command with JSON, before what is no option`() throws {
        #expect(try PageCommands.checked(["ask", "capital of Texas"]) == ["ask", "capital of Texas", "--json"])
        #expect(
            try PageCommands.checked(["chat", "--offline", "--", "--allow-tools"])
                == ["chat", "--offline", "--json", "--", "--allow-tools"])
    }

    @Test(arguments: [
        ["secrets", "get", "key"], ["secrets", "list"], ["mcp", "add", "x", "--", "sh"], ["mcp", "call", "x", "y"],
        ["install"], ["assistant", "add", "x", "http://evil.example/v1"], ["net", "get", "http://evil.example"],
        ["trust", "pin", "evil.example"], ["approve"], ["dashboard"], ["record", "/etc/passwd"], ["sync", "leave"],
        ["chat", "--allow-tools", "hello"], ["chat", "--attach", "/etc/passwd", "read"],
        ["chat", "--base-url", "http://evil.example", "hello"], ["say", "--output", "/tmp/x", "hello"],
        ["talk", "--input", "/etc/passwd"], ["logs", "--export", "/tmp/x"], ["stats", "--help"], ["--version"],
        ["settings", "set", "base-url", "http://evil.example"], ["settings", "set", "api-key", "x"],
        ["listen", "--input", "/etc/passwd"], ["conversations", "export", "abcd", "--output", "/tmp/x"],
    ])
    func `nothing that leaves the page's own business`(words: [String]) {
        let error = #expect(throws: (any Error).self) { try PageCommands.checked(words) }
        #expect((error as? PageRefusal)?.status == 403 || (error as? ServerProblem)?.status == 400, "\(words)")
    }

    @Test func `an error of usage says what is wrong`() throws {
        let problem = #expect(throws: ServerProblem.self) { try PageCommands.checked(["ask", "--nonsense"]) }
        #expect(problem?.status == 400)
        #expect(problem?.detail?.contains("--nonsense") == true)
    }
}

@Suite("The page's files and colours") struct PageFilesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../Apps/parley/Web/Page"
    )
    .standardized.path

    @Test func `each file of the folder is in the program`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        #expect(PageFiles.all.map(\.name).sorted() == names.filter { $0 != "texts.json" }.sorted())
        #expect(!PageFiles.texts.isEmpty)
        for file in PageFiles.all {
            let content = FileManager.default.contents(atPath: "\(Self.folder)/\(file.name)")
            #expect(content.map { Array($0) } == file.bytes, "\(file.name)")
        }
    }

    @Test(arguments: [Theme.Name.light, .dark, .highContrast])
    func `each colour is legible on each ground`(name: Theme.Name) {
        let colors = PageTheme.colors(name)
        let limit = name == .highContrast ? 7.0 : 4.5
        for ground in colors where ground.name.hasPrefix("ground") {
            for color in colors where !color.name.contains("ground") && color.name != "on-accent" {
                #expect(color.color.contrast(with: ground.color) >= limit, "\(color.name) on \(ground.name)")
            }
        }
        let accent = colors.first { $0.name == "accent-ground" }
        let on = colors.first { $0.name == "on-accent" }
        #expect(on.flatMap { on in accent.map { on.color.contrast(with: $0.color) >= limit } } == true)
    }
}
