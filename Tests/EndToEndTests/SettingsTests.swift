// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// `parley settings`, and the commands that read them.
@Suite struct SettingsTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    @Test func `a setting is stored, shown with its origin, and removed`() async throws {
        #expect(try await parley.run("settings", "get", "voice").output == "slt\n")
        #expect(try await parley.run("settings", "get", "budget").code == 3)
        let set = try await parley.run("settings", "set", "voice", "rms")
        #expect(set.code == 0, "\(set.errors)")
        #expect(try await parley.run("settings", "get", "voice").output == "rms\n")
        let variable = ["PARLEY_VOICE": "awb"]
        #expect(try await parley.run("settings", "get", "voice", environment: variable).output == "awb\n")
        let shadowed = try await parley.run("settings", "set", "voice", "rms", environment: variable)
        #expect(shadowed.code == 0 && shadowed.errors.contains("precedence"), "\(shadowed.errors)")

        let list = try await parley.run("settings", "list", "--json", environment: ["PARLEY_DEVICE": "hw:7"])
        func origin(_ name: String) -> String? {
            list.events.first { $0["name"] as? String == name }?["origin"] as? String
        }
        #expect(origin("voice") == "stored" && origin("device") == "environment" && origin("model") == "default")
        let sensitivity = list.events.first { $0["name"] as? String == "sensitivity" }
        #expect(sensitivity?["takes"] as? String == "a whole number from 0 to 100")
        #expect(sensitivity?["default"] as? String == "50" && sensitivity?["type"] as? String == "number")

        #expect(try await parley.run("settings", "unset", "voice").code == 0)
        #expect(try await parley.run("settings", "get", "voice").output == "slt\n")
        #expect(try await parley.run("settings", "unset", "voice").code == 0)
    }

    @Test(arguments: [
        (["set", "voise", "rms"], "Did you mean voice?"), (["set", "voice", "tenor"], "one of slt, rms, awb, kal16"),
        (["set", "sensitivity", "101"], "a whole number from 0 to 100"), (["set", "budget", "much"], "US dollars"),
        (["set", "base-url", "nowhere"], "a server's address"), (["get", "modle"], "Did you mean model?"),
        (["unset", "x"], "Choose one of"),
    ])
    func `an unknown name and a bad value say what is possible`(_ words: [String], _ hint: String) async throws {
        let result = try await parley.start(["settings"] + words).finished()
        #expect(result.code == 2 && result.errors.contains(hint), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: parley.path("home")))
    }

    @Test func `a command reads its option, then the environment, then the setting`() async throws {
        #expect(try await parley.run("settings", "set", "device", "no-such-device").code == 0)
        let stored = try await parley.run("say", "Hello")
        #expect(stored.code == 4 && stored.errors.contains("no-such-device"), "\(stored.errors)")
        let variable = try await parley.run("say", "Hello", environment: ["PARLEY_DEVICE": "another-device"])
        #expect(variable.code == 4 && variable.errors.contains("another-device"), "\(variable.errors)")
        let option = try await parley.run(
            "say", "Hello", "--device", "third-device", environment: ["PARLEY_DEVICE": "another-device"])
        #expect(option.code == 4 && option.errors.contains("third-device"), "\(option.errors)")
        let tenor = ["PARLEY_VOICE": "tenor"]
        let list = try await parley.run("settings", "list", "--json", environment: tenor)
        let voice = try #require(list.events.first { $0["name"] as? String == "voice" })
        #expect(list.code == 0 && voice["origin"] as? String == "invalid" && voice["value"] as? String == "slt")
        #expect(list.errors.contains("PARLEY_VOICE takes one of"), "\(list.errors)")
        let bad = try await parley.run("say", "Hello", environment: tenor)
        #expect(bad.code == 2 && bad.errors.contains("PARLEY_VOICE takes one of"), "\(bad.errors)")
    }

    @Test func `a bad variable does not hide that a setting was changed`() async throws {
        let tenor = ["PARLEY_VOICE": "tenor"]
        let set = try await parley.run("settings", "set", "voice", "rms", "--json", environment: tenor)
        #expect(set.code == 0 && set.errors.contains("precedence"), "\(set)")
        #expect((set.events.first?["problem"] as? String)?.contains("PARLEY_VOICE takes one of") == true, "\(set)")
        #expect(try await parley.run("settings", "get", "voice").output == "rms\n")
        let unset = try await parley.run("settings", "unset", "voice", environment: tenor)
        #expect(unset.code == 0 && unset.errors.contains("PARLEY_VOICE takes one of"), "\(unset)")
        #expect(try await parley.run("settings", "get", "voice").output == "slt\n")
    }

    @Test func `a setting does not contradict an option that was given`() async throws {
        #expect(try await parley.run("settings", "set", "voice", "rms").code == 0)
        #expect(try await parley.run("settings", "set", "budget", "0.5").code == 0)
        // --language refuses --voice, and talk without a model refuses --budget, when a person gives them.
        let said = try await parley.run("say", "Hallo", "--language", "de", "--output", parley.path("a.wav"))
        #expect(said.code == 0, "\(said.errors)")
        let talked = try await parley.run("talk", "--no-history", "--input", parley.path("missing.wav"))
        #expect(talked.code == 6, "\(talked.errors)")
    }

    @Test func `a damaged settings file costs a warning where a default holds`() async throws {
        try FileManager.default.createDirectory(atPath: parley.path("home/data"), withIntermediateDirectories: true)
        try Data("no database, and long enough to be looked at".utf8).write(
            to: URL(filePath: parley.path("home/data/settings.sqlite")))
        let said = try await parley.run("say", "Hello", "--output", parley.path("a.wav"))
        #expect(said.code == 0 && said.errors.contains("the defaults hold"), "\(said.errors)")
        #expect(try await parley.run("settings", "list").code == 6)
    }

    @Test func `they are in the export`() async throws {
        #expect(try await parley.run("settings", "set", "wake-word", "hey parley").code == 0)
        #expect(try await parley.run("prompts", "add", "brief", "Be brief.").code == 0)
        let exported = try await parley.run("data", "export", parley.path("all.tar"), "--offline")
        #expect(exported.code == 0 && exported.output.contains("2 settings"), "\(exported.errors)")
        try SoundFixtures.tool("/usr/bin/tar", ["-xf", parley.path("all.tar"), "-C", parley.folder])
        let lines = try String(contentsOfFile: parley.path("settings.jsonl"), encoding: .utf8)
        #expect(lines.contains(#"{"namespace":"settings","name":"wake-word","value":"hey parley"}"#), "\(lines)")
    }
}
