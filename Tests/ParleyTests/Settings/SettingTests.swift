// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import Echo
import Testing

@testable import parley

@Suite struct SettingTests {
    @Test func `names and variables are unique, and defaults are of their type`() {
        #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
        let variables = Setting.all.flatMap(\.variables)
        #expect(Set(variables).count == variables.count)
        for setting in Setting.all {
            if let standard = setting.standard { #expect(setting.type.accepts(standard), "\(setting.name)") }
            #expect(Setting(rawValue: setting.name)?.help == setting.help)
        }
    }

    /// A type that accepted more than the option takes would break the command.
    @Test func `the options of commands take what their settings take`() throws {
        for setting in Setting.all {
            guard let option = setting.option else { continue }
            let commands = Commands.table.commands.filter { $0.options.contains { $0.name == option } }
            var isMeant = false
            for command in commands {
                let words = command.path + (command.positionals.contains { $0.arity == .oneOrMore } ? ["x"] : [])
                guard case .run(let plain)? = try? Commands.table.parse(words) else { continue }
                let modes = command.path == ["talk"] && option == "voice" ? ["local", "realtime"] : [nil]
                for mode in modes {
                    let line = try mode.map { try plain.withDefault($0, for: "mode") } ?? plain
                    guard setting.isMeant(line) else { continue }
                    isMeant = true
                    for value in Self.values(of: setting.type) {
                        #expect(try line.withDefault(value, for: option).text(of: option) == value)
                    }
                }
            }
            #expect(isMeant, "no command takes \(setting.name)")
        }
    }

    private static func values(of type: SettingType) -> [String] {
        switch type {
        case .text: ["a text"]
        case .address: ["http://127.0.0.1:1/v1"]
        case .dollars: ["0", "0.50"]
        case .number(let range): ["\(range.lowerBound)", "\(range.upperBound)"]
        case .choice(let values): values
        }
    }

    @Test(arguments: [
        (SettingType.text, " ", "a"), (.address, "example.org", "https://example.org/v1"), (.dollars, "-1", "0.5"),
        (.dollars, "nan", "0"), (.number(0...60), "61", "60"), (.number(0...60), "x", "0"),
        (.choice(["slt", "rms"]), "SLT", "slt"),
    ])
    func `a value is of the type or refused`(_ type: SettingType, _ bad: String, _ good: String) {
        #expect(!type.accepts(bad) && type.accepts(good))
        let setting = Setting("some", type, help: "")
        let error = #expect(throws: DomainError.self) { try setting.checked(bad, from: "The setting some" as Sentence) }
        #expect(error?.detail?.contains(type.words.english) == true)
    }

    @Test func `the environment is before what is stored, and that before the default`() throws {
        let voice = try #require(Setting(rawValue: "voice"))
        func value(_ environment: [String: String], _ stored: [String: String]) throws -> SettingValue {
            try SettingValue(of: voice, environment: environment, stored: stored)
        }
        let both = try value(["PARLEY_VOICE": "rms"], ["voice": "awb"])
        #expect(both.text == "rms" && both.origin == .environment)
        let stored = try value(["PARLEY_VOICE": ""], ["voice": "awb"])
        #expect(stored.text == "awb" && stored.origin == .stored)
        let neither = try value([:], [:])
        #expect(neither.text == "slt" && neither.origin == .standard)
        #expect(throws: DomainError.self) { try value(["PARLEY_VOICE": "tenor"], [:]) }
        #expect(throws: DomainError.self) { try value([:], ["voice": "tenor"]) }
        let address = try SettingValue(
            of: .baseURL, environment: ["OPENAI_BASE_URL": "http://b/v1", "PARLEY_BASE_URL": "http://a/v1"], stored: [:]
        )
        #expect(address.text == "http://a/v1")
    }

    @Test(arguments: [
        ("HTTP://LocalHost:8080/v1/", "http://localhost:8080/v1", true),
        ("https://a.example", "https://a.example", true),
        ("https://API.openai.com:443/v1/", EchoEndpoint.openAI.baseURL, true),
        ("https://[::1]:443", "https://[::1]", true),
        ("https://a.example:80", "https://a.example:80", true),
        ("http://a.example:80/v1", "http://a.example/v1", false),
        ("http://a.example/v1", "http://a.example/v1", false),
    ])
    func `an address has one form`(_ text: String, _ form: String, _ isPrivate: Bool) throws {
        let address = try #require(ServerAddress(text))
        #expect(address.text == form && address.isPrivate == isPrivate)
    }

    @Test(arguments: ["", "a.example", "ftp://a.example", "https://u:p@a.example", "https://a.example?q", "https://"])
    func `a text that is no address is refused`(_ text: String) { #expect(ServerAddress(text) == nil) }
}
