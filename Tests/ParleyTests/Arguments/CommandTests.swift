// SPDX-License-Identifier: MIT

import CommandLineArguments
import Testing

@testable import parley

/// A command line of parley's as its command sees it.
func invocation(_ words: [String]) throws -> Invocation {
    guard case .run(let invocation) = try Commands.table.parse(words) else { throw NotRun() }
    return invocation
}

private struct NotRun: Error {}

@Suite struct CommandTests {
    @Test func `names and letters of options are unique in each command`() {
        for command in Commands.table.commands {
            let names = command.options.map(\.name)
            let letters = command.options.compactMap(\.short)
            #expect(Set(names).count == names.count && Set(letters).count == letters.count, "\(command.name)")
        }
    }

    @Test func `no command reads an option that it lacks`() throws {
        for type in Commands.all {
            let specification = type.specification
            let words = specification.path + Self.arguments[specification.name, default: ["12345678", "12345678"]]
            let needed = specification.positionals.count { $0.arity == .one || $0.arity == .oneOrMore }
            let line = Array(words.prefix(specification.path.count + needed))
            // Whatever it makes of them, reading an undeclared one would end the process.
            _ = try? type.init(invocation(line))
            for option in specification.options {
                let values: [String?] =
                    switch option.completion {
                    case .choices(let choices): choices
                    default: option.placeholder == nil ? [nil] : ["1", "2026-01-31", "de", "a.png", "a.wav"]
                    }
                for value in values {
                    _ = try? type.init(invocation(line + ["--\(option.name)"] + (value.map { [$0] } ?? [])))
                }
            }
        }
    }

    private static let arguments = [
        "sign-in": ["a@b.example"], "completion": ["bash"], "net get": ["https://example.org"],
        "trust pin": ["example.org"], "trust remove": ["example.org"], "mcp call": ["server", "tool"],
        "settings get": ["voice"], "settings unset": ["voice"], "settings set": ["voice", "slt"],
    ]
}
