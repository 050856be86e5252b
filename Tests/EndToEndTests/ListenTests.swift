// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@Suite struct ListenTests {
    private let parley: ParleyProcess

    init() throws {
        parley = try ParleyProcess()
    }

    /// A room in which `sentences` are said, with pauses before each and after the last, in seconds.
    static func scene(
        _ sentences: [(text: String, pause: Double)], end: Double, in parley: ParleyProcess
    ) throws -> String {
        let sounds = SoundFixtures(folder: parley.folder)
        var parts: [String] = []
        func quiet(_ seconds: Double) throws {
            let path = parley.path("\(UUID()).wav")
            try SoundFixtures.tool(
                "/usr/bin/sox",
                ["-R", "-n", "-r", "16000", "-b", "16", path, "synth", "\(seconds)", "whitenoise", "vol", "0.0004"])
            parts.append(path)
        }
        for (text, pause) in sentences {
            try quiet(pause)
            parts.append(try sounds.converted(sounds.speech(text), ["-r", "16000"], to: "\(UUID()).wav"))
        }
        try quiet(end)
        let path = parley.path("scene.wav")
        try SoundFixtures.tool("/usr/bin/sox", parts + [path])
        return path
    }

    private func scene(_ sentences: [(text: String, pause: Double)], end: Double) throws -> String {
        try Self.scene(sentences, end: end, in: parley)
    }

    @Test func `a file without the wake word says so`() async throws {
        let scene = try scene([("what is the capital of texas", 1)], end: 1)
        let run = try await parley.run(
            "listen", "--input", scene, "--output", "/dev/null", "--no-notifications", "--low-power", "on")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.errors.contains("Listening with less power.") && !run.errors.contains("battery"), "\(run.errors)")
        #expect(run.errors.contains("\"hey jarvis\" was not heard in"), "\(run.errors)")
    }

    @Test(arguments: ["off", "on"]) func itWakesAnswersAndTakesAFollowUp(lowPower: String) async throws {
        let scene = try scene(
            [
                ("which state has boise as its capital", 1), ("hey jarvis", 3), ("what is the capital of texas", 3),
                ("what is the state bird of utah", 8),
            ], end: 4)
        let answers = parley.path("answers.wav")
        let run = try await parley.run(
            "listen", "--input", scene, "--output", answers, "--low-power", lowPower, "--json")
        #expect(run.code == 0, "\(run.errors)")
        let power = run.events.filter { $0["event"] as? String == "power" }.compactMap { $0["isSaving"] as? Bool }
        #expect(power == (lowPower == "on" ? [true] : []))
        let states = run.events.filter { $0["event"] as? String == "state" }.compactMap { $0["state"] as? String }
        #expect(
            states.prefix(8) == [
                "idle", "listening", "thinking", "speaking", "listening", "thinking", "speaking", "listening",
            ], "\(run.output)")
        let heard = run.events.filter { $0["event"] as? String == "transcript" }.compactMap { $0["text"] as? String }
        #expect(heard == ["what is the capital of texas", "what is the state bird of utah"])
        #expect(run.events.filter { $0["event"] as? String == "wakeWord" }.count == 1)
        #expect(run.events.filter { $0["event"] as? String == "latency" }.count >= 1)

        let messages = try await parley.run("history", "--json").events.first?["messages"] as? [[String: Any]]
        #expect(messages?.count == 4)
        let size = try FileManager.default.attributesOfItem(atPath: answers)[.size] as? Int ?? 0
        #expect(size > 100_000, "tones and two answers take more than three seconds to play")
    }

    @Test func aMicrophoneThatIsNotThereIsWaitedForAndControlCEndsTheWait() async throws {
        let running = try parley.start(["listen", "--device", "no-such-device", "--no-history", "--json"])
        let result = await running.interrupted(at: "failure")
        #expect(result.code == 0)
        #expect(result.event("failure")?["part"] as? String == "ear")
    }

    @Test func itEndsWhenNobodyReadsItsOutput() async throws {
        let listen = "\"$0\" listen --device no-such-device --no-history --json | head -n 1"
        let result = try await parley.run(through: ["timeout", "60", "sh", "-c", listen])
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.events.count == 1)
    }

    @Test func wrongOptionsAreExplained() async throws {
        let cases: [(arguments: [String], code: Int32, says: String)] = [
            (["--wake-word", "hey xqzzrt"], 6, "xqzzrt"), (["--wake-word", ""], 2, "WORDS"),
            (["--wake-word", "?!"], 6, "Choose"),
            (["--sensitivity", "200"], 2, "0 to 100"), (["--phones", "parley"], 2, "P AA R L IY"),
            (["--follow-up", "x"], 2, "whole number"), (["--input", "missing.wav"], 6, "missing.wav"),
        ]
        for (arguments, code, says) in cases {
            let result = try await parley.start(["listen", "--no-history"] + arguments).finished()
            #expect(result.code == code, "\(arguments): \(result.errors)")
            #expect(result.errors.contains(says), "\(arguments): \(result.errors)")
        }
        #expect(try parley.files(below: "home/data/live").isEmpty, "a failed start leaves no socket")
    }
}

@Suite struct InstallTests {
    private let parley: ParleyProcess
    private var unit: String { parley.path(".config/systemd/user/parley-listen.service") }

    init() throws { parley = try ParleyProcess() }

    private var syncUnit: String { parley.path(".config/systemd/user/parley-sync.service") }

    private func verify() throws {
        let command = [
            "XDG_RUNTIME_DIR=\(parley.folder)", "systemd-analyze", "verify", "--man=no", "--user", unit, syncUnit,
        ]
        try SoundFixtures.tool("/usr/bin/env", command)
    }

    @Test func theUnitIsOneThatSystemdTakes() async throws {
        let result = try await parley.run("install", "--", "--wake-word", "hello computer", "--follow-up=3")
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("systemctl --user"))
        let text = try String(contentsOfFile: unit, encoding: .utf8)
        #expect(text.contains("\"listen\" \"--wake-word\" \"hello computer\" \"--follow-up=3\""))
        try verify()
        let sync = try String(contentsOfFile: syncUnit, encoding: .utf8)
        #expect(sync.contains("\"PARLEY_HOME=\(parley.path("home"))\"") && sync.contains("\"service\""))

        // What systemd refuses fails this test.
        try Data((text + "\n[Service]\nExecStart=relative\n").utf8).write(to: URL(filePath: unit))
        #expect(throws: SoundFixtures.ToolFailed.self) {
            try verify()
        }
    }

    @Test func wrongOptionsAndForeignUnitsAreRefused() async throws {
        let refused = try await parley.run("install", "--", "--sensitivity", "200")
        #expect(refused.code == 2)
        #expect(!FileManager.default.fileExists(atPath: unit))

        #expect(try await parley.run("uninstall").code == 0, "nothing to remove is no error")
        #expect(try await parley.run("install").code == 0)
        #expect(try await parley.run("uninstall").code == 0)
        #expect(!FileManager.default.fileExists(atPath: unit) && !FileManager.default.fileExists(atPath: syncUnit))

        try Data("[Unit]\n".utf8).write(to: URL(filePath: unit))
        #expect(try await parley.run("uninstall").code == 6)
        #expect(FileManager.default.fileExists(atPath: unit))
    }

    @Test func theDesktopTakesTheFileThatOpensLinks() async throws {
        let file = parley.path(".local/share/applications/parley-sign-in.desktop")
        let result = try await parley.run("install", "--json")
        #expect(result.code == 0 && result.events.first?["linkHandler"] as? String == file, "\(result.output)")
        try SoundFixtures.tool("/usr/bin/desktop-file-validate", [file])
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("MimeType=x-scheme-handler/parley;"))
        // xdg-utils need not be there; where they are, the file is registered.
        if FileManager.default.isExecutableFile(atPath: "/usr/bin/xdg-mime") {
            #expect(result.events.first?["isLinkHandlerRegistered"] as? Bool == true)
            let list = try String(contentsOfFile: parley.path(".config/mimeapps.list"), encoding: .utf8)
            #expect(list.contains("x-scheme-handler/parley=parley-sign-in.desktop"))
        }
        #expect(try await parley.run("uninstall").code == 0)
        #expect(!FileManager.default.fileExists(atPath: file))
        let left = try? String(contentsOfFile: parley.path(".config/mimeapps.list"), encoding: .utf8)
        #expect(left?.contains("parley") != true, "\(left ?? "")")

        // What the desktop refuses fails this test; a file that somebody else wrote stays.
        try Data(text.replacing("Exec=\"env\"", with: "Exec=\"env").utf8).write(to: URL(filePath: file))
        #expect(throws: SoundFixtures.ToolFailed.self) {
            try SoundFixtures.tool("/usr/bin/desktop-file-validate", [file])
        }
        try Data("[Desktop Entry]\n".utf8).write(to: URL(filePath: file))
        #expect(try await parley.run("uninstall").code == 6)
        #expect(FileManager.default.fileExists(atPath: file))
    }

    @Test func withoutTheDesktopsToolsItSaysSo() async throws {
        let result = try await parley.start(["install"], environment: ["PATH": "/nowhere"]).finished()
        #expect(result.code == 0 && result.output.contains("xdg-mime is not here"), "\(result.output)\(result.errors)")
    }

    @Test func printWritesNothing() async throws {
        let result = try await parley.run("install", "--print")
        #expect(result.output.contains("ExecStart="))
        #expect(!FileManager.default.fileExists(atPath: unit))
    }

    @Test func `a relative home is an absolute one of the services`() async throws {
        let environment = parley.environment.merging(["PARLEY_HOME": "here"]) { $1 }
        let result = try await ParleyProcess.start(
            [ParleyProcess.executable, "install", "--print"], environment: environment, folder: parley.folder
        ).finished()
        #expect(
            result.output.components(separatedBy: "\"PARLEY_HOME=\(parley.folder)/here\"").count == 3,
            "\(result.output)")
    }
}
