// SPDX-License-Identifier: MIT

import AudioKitLinuxTestSupport
import Foundation
import Glibc
import TestKit
import Testing

extension FileMicrophone {
    /// True once something was played that is not silence.
    fileprivate var hasPlayed: Bool { (try? heard())?.contains { $0 != 0 } == true }
}

/// Timers and alarms: set by a question, rung by whichever process is there.
@Suite(.timeLimit(.minutes(5))) struct TimersTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    /// A loudspeaker that writes down what is played, and a microphone that hears nothing.
    private func loudspeaker() async throws -> FileMicrophone {
        let silence = parley.path("silence.raw")
        try Data(count: 2 * FileMicrophone.sampleRate).write(to: URL(filePath: silence))
        return try await FileMicrophone(hearing: silence, home: parley.folder)
    }

    /// Starts a process that rings what others set.
    private func ringer(_ options: String...) throws -> ChildProcess {
        try parley.start(["timers", "ring", "--wait", "--json", "--no-notifications"] + options)
    }

    /// Reads events until alarms have a state; returns their labels.
    private func alarms(_ state: String, of child: ChildProcess) async throws -> [String] {
        let line = await child.detached { child -> String? in
            while let line = child.line() {
                if line.contains("\"event\":\"alarm\"") { return line }
            }
            return nil
        }
        let text = try #require(line)
        let event = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(event["state"] as? String == state, "\(event)")
        return (event["alarms"] as? [[String: Any]] ?? []).compactMap { $0["label"] as? String }
    }

    private func list() async throws -> [[String: Any]] {
        let result = try await parley.run("timers", "list", "--json")
        #expect(result.code == 0, "\(result.errors)")
        return result.events.first?["timers"] as? [[String: Any]] ?? []
    }

    private func ask(_ question: String, environment: [String: String] = [:]) async throws -> String {
        let result = try await parley.run("ask", question, "--no-history", environment: environment)
        #expect(result.code == 0, "\(result.errors)")
        return result.output
    }

    @Test func `what nothing would ring is not promised`() async throws {
        #expect(try await ask("set a timer for 2 seconds").hasPrefix("Nothing is set, because nothing"))
        #expect(try await list().isEmpty)
    }

    @Test(.enabled(if: PulseDaemon.isInstalled, "pulseaudio is not installed: Scripts/bootstrap test"))
    func `a waiting process rings aloud until Enter`() async throws {
        let sound = try await loudspeaker()
        let ringer = try ringer("--device", FileMicrophone.device)
        #expect(await ringer.detached { $0.line() } == #"{"event":"waiting"}"#)
        #expect(try await ask("set a pasta timer for 1 second") == "A timer for pasta is set for 1 second.\n")
        #expect(try await alarms("ringing", of: ringer) == ["pasta"])
        #expect(try await list().first?["ringing"] as? Bool == true)
        try await eventually("something is played") { sound.hasPlayed }
        ringer.write("\n")
        #expect(try await alarms("stopped", of: ringer) == ["pasta"])
        #expect(try await list().isEmpty)
        ringer.kill(SIGINT)
        #expect(await ringer.finished().code == 0)
    }

    @Test func `the service rings, too`() async throws {
        let service = try parley.start(["service", "--json"])
        #expect(await service.detached { $0.line() } == #"{"event":"waiting"}"#)
        try await eventually("it is known to ring") {
            try await ask("set a pasta timer for 1 second") == "A timer for pasta is set for 1 second.\n"
        }
        #expect(try await alarms("ringing", of: service) == ["pasta"])
        #expect(try await parley.run("timers", "cancel", "--all").code == 0)
        #expect(try await alarms("cancelled", of: service) == ["pasta"])
        service.kill(SIGINT)
        _ = await service.finished()
    }

    @Test func `a killed ringer loses nothing, and without a sound card it says so`() async throws {
        let first = try ringer("--device", "no-such-device")
        _ = await first.detached { $0.line() }
        #expect(try await ask("set a tea timer for 1 second").contains("is set for"))
        first.kill(SIGKILL)
        _ = await first.finished()
        let second = try ringer("--device", "no-such-device")
        #expect(try await alarms("ringing", of: second) == ["tea"])
        let failure = await second.detached { child -> String? in
            while let line = child.line() { if line.contains("\"event\":\"failure\"") { return line } }
            return nil
        }
        #expect(failure?.contains("\"part\":\"alarms\"") == true, "\(failure ?? "")")
        let cancelled = try await parley.run("timers", "cancel", "--all")
        #expect(cancelled.output.contains("cancelled: Timer: tea."), "\(cancelled)")
        #expect(try await alarms("cancelled", of: second) == ["tea"])
        #expect(try await ask("set an alarm for 3 am").hasPrefix("The alarm is set for 3:00 AM"))
        second.kill(SIGINT)
        let end = await second.finished()
        #expect(end.code == 0 && end.errors.contains("nothing rings it until"), "\(end)")
    }

    @Test(.enabled(if: PulseDaemon.isInstalled, "pulseaudio is not installed: Scripts/bootstrap test"))
    func `listen rings`() async throws {
        let sound = try await loudspeaker()
        let listen = try parley.start([
            "listen", "--device", FileMicrophone.device, "--json", "--no-history", "--no-notifications", "--no-tones",
        ])
        try await eventually("listen rings alarms") {
            try await ask("set an egg timer for 1 second").contains("is set for")
        }
        #expect(try await alarms("ringing", of: listen) == ["egg"])
        try await eventually("something is played") { sound.hasPlayed }
        #expect(try await ask("cancel the egg timer") == "The timer is cancelled.\n")
        #expect(try await alarms("cancelled", of: listen) == ["egg"])
        listen.kill(SIGINT)
        #expect(await listen.finished().code == 0)
    }

    @Test func `wrong names are explained`() async throws {
        for (arguments, code) in [(["cancel"], 2), (["cancel", "x"], 2), (["cancel", "12345678"], 3)]
            as [([String], Int32)]
        {
            let result = try await parley.start(["timers"] + arguments).finished()
            #expect(result.code == code, "\(arguments): \(result)")
        }
    }
}

/// Timers and alarms that the user's systemd rings.
@Suite(.timeLimit(.minutes(5))) struct SystemTimersTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    /// The commands of a `systemd-run` and a `systemctl` that write down their words and succeed.
    private func recorder() throws -> (path: String, words: () -> [[String]]) {
        let (folder, notes) = (parley.path("bin"), parley.path("commands"))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["systemd-run", "systemctl"] {
            let text =
                "#!/bin/sh\nfor word in \(name) \"$@\"; do printf '%s\\t' \"$word\"; done >> '\(notes)'\necho >> '\(notes)'\n"
            try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
            chmod(folder + "/" + name, 0o755)
        }
        return (
            folder,
            {
                let text = (try? String(contentsOfFile: notes, encoding: .utf8)) ?? ""
                return text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
            }
        )
    }

    @Test func `a transient timer is made, and stopped with its alarm`() async throws {
        let recorder = try recorder()
        let environment = ["PATH": "\(recorder.path):/usr/bin:/bin"]
        let start = Date().timeIntervalSince1970
        let set = try await parley.run("ask", "set a timer for 10 hours", "--no-history", environment: environment)
        #expect(set.output == "A timer is set for 10 hours. It rings while you stay logged in.\n", "\(set)")
        let words = try #require(recorder.words().first)
        #expect(words.prefix(3) == ["systemd-run", "--user", "--quiet"])
        let unit = try #require(words.first { $0.hasPrefix("--unit=") }).dropFirst(7)
        let calendar = try #require(words.first { $0.hasPrefix("--on-calendar=") }).dropFirst(14)
        let due = try #require(Double(calendar.dropFirst()))
        #expect(calendar.first == "@" && due >= start + 36_000 && due < start + 36_060)
        try SoundFixtures.tool("/usr/bin/systemd-analyze", ["calendar", String(calendar)])
        #expect(words.contains("PARLEY_HOME=\(parley.path("home"))"))
        #expect(words.suffix(3) == [ParleyProcess.executable, "timers", "ring"])
        let cancelled = try await parley.run("timers", "cancel", "--all", environment: environment)
        #expect(cancelled.code == 0)
        #expect(recorder.words().last?.suffix(2) == ["stop", unit + ".timer"])
    }

    /// True if a mount namespace can be made, in which the user's systemd finds a machine that it has booted.
    private static let hasSystemd: Bool = {
        guard FileManager.default.isExecutableFile(atPath: "/lib/systemd/systemd") else { return false }
        let command = "mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system"
        return (try? ChildProcess("unshare", ["-m", "sh", "-c", command]).wait()) == .exited(0)
    }()

    @Test(.enabled(if: PulseDaemon.isInstalled && hasSystemd, "it needs root, systemd and pulseaudio"))
    func `a real systemd starts the process that rings`() async throws {
        let silence = parley.path("silence.raw")
        try Data(count: 2 * FileMicrophone.sampleRate).write(to: URL(filePath: silence))
        let sound = try await FileMicrophone(hearing: silence, home: parley.folder)
        let script = """
            set -e
            mount -t tmpfs tmpfs /run
            mkdir -p /run/systemd/system /run/session
            chmod 700 /run/session
            export XDG_RUNTIME_DIR=/run/session
            /lib/systemd/systemd --user --log-target=null >/dev/null 2>&1 &
            manager=$!
            trap 'kill $manager; wait' EXIT
            until systemctl --user is-active --quiet basic.target 2>/dev/null; do sleep 0.05; done
            "$0" ask 'set a rice timer for 1 second' --no-history
            until "$0" timers list --json | grep -q '"ringing":true'; do sleep 0.05; done
            cat
            "$0" timers cancel --all
            until ! systemctl --user list-units --plain | grep -q parley-alarm; do sleep 0.05; done
            """
        let run = try parley.start(
            [], environment: ["PARLEY_DEVICE": FileMicrophone.device], through: ["unshare", "-m", "sh", "-c", script])
        #expect(await run.detached { $0.line() } == "A timer for rice is set for 1 second.")
        try await eventually("something is played") { sound.hasPlayed }
        run.closeInput()
        let result = await run.finished()
        #expect(result.code == 0 && result.output.contains("cancelled: Timer: rice."), "\(result)")
    }
}
