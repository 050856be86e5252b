// SPDX-License-Identifier: MIT

import Testing

@testable import parley

@Suite struct HelpTextTests {
    private let specifications = Commands.all.map { $0.specification }
    private var parser: ArgumentParser { ArgumentParser(commands: specifications) }

    @Test func `help lists each command once, in a section`() {
        let sections = HelpSection.sections(of: specifications)
        #expect(sections.flatMap { $0.commands.map(\.name) }.sorted() == specifications.map(\.name).sorted())
        let help = HelpText.program(specifications)
        for section in sections { #expect(help.contains("\n\(section.title):\n")) }
    }

    @Test func `no line of a discussion is longer than 120`() {
        for command in specifications {
            let lines = command.discussion.split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= 120 }, "\(command.name)")
        }
    }

    @Test(arguments: [["mcp"], ["mcp", "--help"], ["help", "mcp"], ["secrets", "-h"], ["audio"], ["data"]])
    func `the first word of commands lists them`(_ words: [String]) throws {
        guard case .group(let commands) = try parser.parse(words) else {
            Issue.record("no group: \(words)")
            return
        }
        let name = try #require(words.first { !$0.hasPrefix("-") && $0 != "help" })
        #expect(commands.map(\.name) == specifications.map(\.name).filter { $0.hasPrefix(name + " ") })
        #expect(HelpText.group(commands).contains("\(name) "))
    }

    @Test(arguments: [["history"], ["practice"], ["progress"]])
    func `a command that others continue is run`(_ words: [String]) throws {
        guard case .run(let invocation) = try parser.parse(words) else {
            Issue.record("not run: \(words)")
            return
        }
        #expect(invocation.command.path == words)
    }

    @Test func `an unknown subcommand names the others`() throws {
        let error = #expect(throws: UsageError.self) { try parser.parse(["mcp", "tols"]) }
        #expect(error?.message.contains("Did you mean tools?") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("add, list, disable, enable, remove") == true, "\(error?.message ?? "")")
    }
}
