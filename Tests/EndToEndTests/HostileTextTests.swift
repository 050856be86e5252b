// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import SpeechServicesTestSupport
import StructuredJSON
import TestKit
import Testing

/// Names, files and answers that are made to drive a terminal, given to every command.
@Suite struct HostileTextTests {
    private static let hostile = "a\u{1B}[2Jb\u{202E}c\u{2066}d\u{9B}31me\u{7}f\u{2028}g\u{200F}h\rj\u{7F}k\u{1B}]0;t"

    /// The characters of an output that must not reach a terminal.
    private func evil(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x09, 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F: true
            default: false
            }
        }
    }

    /// Runs in a folder of its own, where files of any name may come to be.
    private func run(
        _ words: [String], _ parley: ParleyProcess, environment: [String: String] = [:]
    ) async throws -> ParleyProcess.Result {
        try await parley.start(words, environment: environment, through: ["/usr/bin/env", "-C", parley.folder])
            .finished()
    }

    private func expectClean(_ result: ParleyProcess.Result, _ words: [String]) {
        #expect(evil(result.errors).isEmpty, "\(words): \(result.errors.debugDescription)")
        #expect(evil(result.output).isEmpty, "\(words): \(result.output.debugDescription)")
    }

    /// Every command with the names of its options, as help has them.
    private func commands(_ parley: ParleyProcess) async throws -> [(path: [String], options: [String])] {
        let script = try await parley.run("completion", "bash")
        #expect(script.code == 0)
        let help = try await parley.run("--help")
        let names = help.output.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
            .map { line in
                line.dropFirst(2).split(separator: "  ")[0].split(separator: " ").map(String.init)
                    .prefix { $0.allSatisfy { $0.isLowercase || $0 == "-" } }
            }.filter { !$0.isEmpty }
        var commands: [(path: [String], options: [String])] = []
        for name in names {
            let help = try await parley.start(Array(name) + ["--help"]).finished()
            guard help.code == 0 else { continue }
            let options = help.output.matches(of: /--([a-z-]+)/).map { "--" + String($0.1) }
            commands.append((Array(name), Array(Set(options)).sorted()))
        }
        return commands
    }

    @Test(.timeLimit(.minutes(10))) func `names given to any command are printed clean`() async throws {
        let parley = try ParleyProcess()
        let all = try await commands(parley)
        #expect(all.count > 50, "\(all.map(\.path))")
        // These run until they are ended, or for the folder of the machine's own programs.
        let endless: Set<String> = ["service", "install", "uninstall"]
        for (path, options) in all where !endless.contains(path[0]) {
            let words = [
                [Self.hostile], [Self.hostile, Self.hostile, Self.hostile], ["--" + Self.hostile],
                ["--json", Self.hostile],
            ]
            for more in words {
                expectClean(try await run(path + more, parley), path + more)
            }
            // A value that an option does not take is said before anything is done.
            for option in options where !["--help", "--version", "--verbose", "--json"].contains(option) {
                let words = path + ["\(option)=\(Self.hostile)", Self.hostile]
                expectClean(try await run(words, parley), words)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `files with hostile texts are reported clean`() async throws {
        let parley = try ParleyProcess()
        let folder = parley.path("home/config")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let json = String(decoding: try JSONEncoder().encode(Self.hostile), as: UTF8.self)
        let bodies = [
            Self.hostile, "{\(json)", "{\(json): \(json)}", "{\"mcpServers\": {\(json): {\"command\": 1}}}",
            "{\"mcpServers\": {\(json): {\"command\": \(json), \"args\": [\(json)]}}}", "[\(json)]",
            "{\"server\": \(json), \"baseURL\": \(json), \"address\": \(json), \"flags\": {\(json): \(json)}}",
        ]
        let files = ["mcp.json", "mcp-approvals.json", "account.json", "recordings.json", "flags.json", "app-lock"]
        let commands = [
            ["mcp", "list"], ["mcp", "tools"], ["mcp", "remove", Self.hostile],
            ["chat", "x", "--base-url", "http://127.0.0.1:9", "-m", "m"], ["whoami"], ["recordings", "limit"],
            ["flags"], ["doctor"], ["secrets", "list"], ["history"], ["uploads", "list"], ["sessions", "list"],
        ]
        for body in bodies {
            for file in files {
                try Data(body.utf8).write(to: URL(filePath: folder + "/" + file))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/" + file)
            }
            for words in commands { expectClean(try await run(words, parley), words + [body]) }
        }
        let sound = parley.path("bad\u{1B}[2J\u{202E}.wav")
        try Data(Self.hostile.utf8).write(to: URL(filePath: sound))
        for words in [
            ["transcribe", sound], ["play", sound], ["audio", "vad", sound], ["talk", "-i", sound], ["replay", sound],
        ] {
            expectClean(try await run(words, parley), words)
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [nil, SpeechServiceFault.serverError])
    func `answers of speech engines are reported clean`(fault: SpeechServiceFault?) async throws {
        let parley = try ParleyProcess()
        let question = try SoundFixtures(folder: parley.folder).speech("What is the capital of Texas?")
        var script = ScriptedSpeechServer.Script(fault: fault)
        script.text = Self.hostile
        script.words = String(
            decoding: JSONValue.object(["text": .string(Self.hostile), "language": .string(Self.hostile)]).bytes,
            as: UTF8.self)
        try await ScriptedSpeechServer.run(script) { server in
            for (name, kind, path) in [("open", "openai", "/v1"), ("eleven", "elevenlabs", "")] {
                let add = ["speech", "add", name, "--kind", kind, "--url", server.baseURL(path).absoluteString]
                let added = try await run(add + ["--voice", "x"], parley)
                #expect(added.code == 0)
            }
            let use = try await run(["speech", "use", "open", "--no-check"], parley)
            #expect(use.code == 0)
            for words in [
                ["speech", "test", "open"], ["speech", "test", "eleven"], ["speech", "test", "eleven", "--json"],
                ["speech", "use", "eleven"], ["speech", "list"], ["doctor"], ["transcribe", question],
                ["transcribe", question, "--json"], ["say", "It is nine.", "--output", parley.path("a.wav")],
                ["talk", "--input", question, "--output", parley.path("b.wav"), "--no-history"],
            ] {
                expectClean(try await run(words, parley), words)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `answers of servers are reported clean`() async throws {
        let failure = Scenario.Turn(
            .message("x"),
            faults: [.status(400, body: ["error": ["message": .string(Self.hostile), "code": .string(Self.hostile)]])])
        try await ChatFixture.using([
            failure, failure, .init(.message(Self.hostile)), Scenario.Turn(.functionCall("add", arguments: "{}")),
            .init(.message(Self.hostile)),
        ]) { chat in
            for words in [["chat", "Hi"], ["chat", "Hi", "--json"], ["chat", "Hi"]] {
                expectClean(try await run(words, chat.parley, environment: chat.environment), words)
            }
            let added = try await chat.parley.start(
                ["mcp", "add", "evil", "--timeout", "300", "--"] + chat.plainServer("hostile")
            ).finished()
            expectClean(added, ["mcp", "add"])
            for words in [["mcp", "tools"], ["mcp", "call", "evil", "add"], ["chat", "Hi", "--allow-tools"]] {
                expectClean(try await run(words, chat.parley, environment: chat.environment), words)
            }
        }
    }
}
