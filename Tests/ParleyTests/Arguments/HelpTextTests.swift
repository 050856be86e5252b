// SPDX-License-Identifier: MIT

import CommandLineArguments
import Testing

@testable import parley

@Suite struct HelpTextTests {
    private let table = Commands.table
    private var specifications: [CommandSpecification] { table.commands }

    @Test func `help lists each command once, in a section`() {
        let lines = Commands.help(table).split(separator: "\n")
        for command in specifications {
            #expect(lines.count { $0.hasPrefix("  \(command.name)  ") } == 1, "\(command.name)")
        }
        let titles = lines.filter { $0.hasSuffix(":") }.map { String($0.dropLast()) }
        #expect(
            titles == [
                "Ask and talk", "Models and their tools", "Practise a language", "Sound", "Account and data",
                "Several devices", "Secrets and trust", "This program",
            ])
    }

    @Test func `no line of a discussion is longer than 120`() {
        for command in specifications {
            let lines = command.discussion.split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= 120 }, "\(command.name)")
        }
    }

    @Test(arguments: [["mcp"], ["mcp", "--help"], ["help", "mcp"], ["secrets", "-h"], ["audio"], ["data"]])
    func `the first word of commands lists them`(_ words: [String]) throws {
        guard case .group(let commands) = try table.parse(words) else {
            Issue.record("no group: \(words)")
            return
        }
        let name = try #require(words.first { !$0.hasPrefix("-") && $0 != "help" })
        #expect(commands.map(\.name) == specifications.map(\.name).filter { $0.hasPrefix(name + " ") })
        #expect(table.help(ofGroup: commands).contains("\(name) "))
    }

    @Test(arguments: [["history"], ["practice"], ["progress"]])
    func `a command that others continue is run`(_ words: [String]) throws {
        guard case .run(let invocation) = try table.parse(words) else {
            Issue.record("not run: \(words)")
            return
        }
        #expect(invocation.command.path == words)
    }

    @Test func `an unknown subcommand names the others`() throws {
        let error = #expect(throws: UsageError.self) { try table.parse(["mcp", "tols"]) }
        #expect(error?.message.contains("Did you mean tools?") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("add, list, disable, enable, remove") == true, "\(error?.message ?? "")")
    }
}
