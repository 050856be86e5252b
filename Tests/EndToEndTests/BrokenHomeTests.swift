// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// A home that cannot be used costs a warning, never the answer.
@Suite(.timeLimit(.minutes(5))) struct BrokenHomeTests {
    /// A defect of the folder that `PARLEY_HOME` names.
    enum Fault: String, CaseIterable {
        /// The file system takes no write.
        case readOnly
        /// The file system has no room left.
        case full
        /// The folder belongs to somebody else.
        case unreadable
        /// There is a file in place of the folder.
        case file
        /// The program may write no more than 4 KB into a file.
        case sizeLimit
        /// The history is not a database.
        case damaged

        /// Makes the history and, although it finds no sound, the practice file.
        private static let filling = """
            "$0" ask capital of Utah >&2; "$0" practice --offline --input /nowhere.wav >&2
            [ -f "$PARLEY_HOME/data/practice.sqlite" ] || exit 78
            """

        /// Runs the program as `"$0" "$@"` with `PARLEY_HOME` broken. 77 says that this user may not do so.
        var script: String {
            let mounted = """
                mkdir -p "$PARLEY_HOME" && mount -t tmpfs -o size=1m none "$PARLEY_HOME" || exit 77
                \(Self.filling)
                """
            return switch self {
            case .readOnly: mounted + "\nmount -o remount,ro \"$PARLEY_HOME\" && \"$0\" \"$@\""
            case .full: mounted + "\ndd if=/dev/zero of=\"$PARLEY_HOME/filler\" bs=1k 2>/dev/null; \"$0\" \"$@\""
            case .unreadable:
                """
                mkdir -p "$PARLEY_HOME" && chmod 700 "$PARLEY_HOME"
                [ "$(id -u)" = 0 ] || exit 77
                chmod 755 "$HOME" && exec /usr/bin/setpriv --reuid=65534 --regid=65534 --clear-groups "$0" "$@"
                """
            case .file: "echo x > \"$PARLEY_HOME\"; exec \"$0\" \"$@\""
            case .sizeLimit: "ulimit -f 8; exec \"$0\" \"$@\""
            case .damaged:
                """
                \(Self.filling)
                for file in conversations practice; do
                  dd if=/dev/zero of="$PARLEY_HOME/data/$file.sqlite" bs=4096 seek=2 count=6 conv=notrunc 2>/dev/null
                done
                exec "$0" "$@"
                """
            }
        }

        /// The words before the program; a mount is in a namespace of its own.
        var wrapper: [String] {
            let shell = ["/bin/sh", "-c", script]
            return switch self {
            case .readOnly, .full, .unreadable: ["/usr/bin/unshare", "-m"] + shell
            case .file, .sizeLimit, .damaged: shell
            }
        }
    }

    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    /// The result with the fault; nil where this user may not make it.
    private func run(_ fault: Fault, _ arguments: [String]) async throws -> ParleyProcess.Result? {
        let result = try await parley.start(arguments, through: fault.wrapper).finished()
        if result.code == 77 || result.errors.contains("unshare:") || result.errors.contains("setpriv:") {
            print("NOT CHECKED: \(fault), because this user may not make it")
            return nil
        }
        return result
    }

    @Test(arguments: Fault.allCases)
    func `a question is answered whatever the home is`(_ fault: Fault) async throws {
        for command in [["ask", "capital of Ohio"], ["chat", "--offline", "capital of Ohio"]] {
            guard let result = try await run(fault, command) else { return }
            #expect(result.code == 0, "\(command): \(result.errors)")
            #expect(result.output == "The capital of Ohio is Columbus.\n", "\(command)")
            #expect(result.errors.contains("This is not kept in the history."), "\(result.errors)")
            #expect(result.errors.contains(fault == .damaged ? "parley history repair" : "parley doctor"))
            #expect(!result.errors.contains("parley stats"), "one warning: \(result.errors)")
        }
    }

    @Test(arguments: Fault.allCases)
    func `a refusal stays a refusal whatever the home is`(_ fault: Fault) async throws {
        guard let result = try await run(fault, ["ask", "capital of France", "--json"]) else { return }
        #expect(result.code == 3, "\(result.errors)")
        #expect((result.events.first?["error"] as? [String: Any])?["code"] as? String == "invalidQuery")
        #expect(result.errors.contains("This is not kept in the history."), "\(result.errors)")
    }

    // The recogniser's model is written into memory, to which the limit of file sizes applies, too.
    @Test(arguments: Fault.allCases.filter { $0 != .sizeLimit })
    func `a spoken question is answered whatever the home is`(_ fault: Fault) async throws {
        let question = try SoundFixtures(folder: parley.folder).speech("What is the capital of Texas?")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: question)
        let spoken = "/dev/null"
        guard let result = try await run(fault, ["talk", "--input", question, "--output", spoken, "--json"]) else {
            return
        }
        #expect(result.code == 0, "\(result.errors)\(result.output)")
        #expect((result.event("answer")?["answer"] as? String)?.contains("Austin") == true)
        #expect(result.errors.contains("This is not kept in the history."), "\(result.errors)")
    }

    @Test(arguments: Fault.allCases.filter { $0 != .damaged })
    func `built-in cues are shown whatever the home is`(_ fault: Fault) async throws {
        for command in [["cues", "list", "--language", "en", "--limit", "3"], ["cues", "next", "--language", "en"]] {
            guard let result = try await run(fault, command) else { return }
            #expect(result.code == 0 && result.output.contains("Good morning"), "\(command): \(result.errors)")
            // Nothing is written there, so that a limit of file sizes is no obstacle.
            for words in ["Only the cues that came with the program", "parley doctor"] {
                #expect(result.errors.contains(words) == (fault != .sizeLimit), "\(result.errors)")
            }
        }
    }

    @Test(arguments: Fault.allCases.filter { $0 != .damaged })
    func `the checkup says that the home is broken`(_ fault: Fault) async throws {
        guard let result = try await run(fault, ["doctor", "--json"]) else { return }
        let findings = try #require(result.events.first?["findings"] as? [[String: Any]])
        for name in ["History", "Practice"] {
            let finding = try #require(findings.first { $0["name"] as? String == name })
            #expect(finding["status"] as? String == "broken", "\(finding)")
            #expect(finding["advice"] is String, "\(finding)")
        }
        #expect(result.code == 6)
    }

    @Test(arguments: ["Settings": "settings.sqlite", "Timers": "alarms.sqlite", "Secrets": "secrets.sealed"])
    func `a damaged file costs itself alone, and is found`(_ name: String, _ file: String) async throws {
        #expect(try await parley.run("ask", "capital of Ohio").code == 0)
        _ = try await parley.run("ask", "set a timer for one hour")
        #expect(try await parley.run("settings", "set", "theme", "plain").code == 0)
        #expect(try await parley.run("secrets", "set", "some", "--store", "file", input: "value").code == 0)
        let path = parley.path("home/data/\(file)")
        let size = try Data(contentsOf: URL(filePath: path)).count
        try Data(repeating: 7, count: size).write(to: URL(filePath: path))
        let status = try await parley.run("status", "--json")
        #expect(status.code == 0, "\(status)")
        let told = try #require(status.events.first)
        #expect((told["lastAnswer"] as? [String: Any])?["text"] is String)
        #expect(((told["warnings"] as? [String])?.first?.contains(path) ?? false) == (file != "secrets.sealed"))
        let checkup = try await parley.run("doctor", "--json")
        let findings = try #require(checkup.events.first?["findings"] as? [[String: Any]])
        for finding in findings where ["History", "Settings", "Timers", "Secrets"].contains(finding["name"] as? String)
        {
            #expect((finding["status"] as? String == "broken") == (finding["name"] as? String == name), "\(finding)")
        }
        #expect(checkup.code == 6)
    }

    @Test func `an answer comes before the warning about it`() async throws {
        try FileManager.default.createDirectory(atPath: parley.path("home"), withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(filePath: parley.path("home/data")))
        let run = try parley.start(["ask", "capital of Ohio"], mergesErrors: true)
        let text = await run.finished().output
        let answer = try #require(text.range(of: "Columbus"))
        let warning = try #require(text.range(of: "not kept"))
        #expect(answer.lowerBound < warning.lowerBound, "\(text)")
    }

    @Test func `a question is kept again once that is possible`() async throws {
        let home = parley.path("home")
        try Data("x".utf8).write(to: URL(filePath: home))
        let session = try TerminalRun([ParleyProcess.executable, "ask"], environment: parley.environment)
        try await session.shows("?")
        try session.type("capital of Ohio\r")
        try await session.shows("not kept")
        try FileManager.default.removeItem(atPath: home)
        try session.type("capital of Utah\r")
        try await session.shows("Salt Lake City")
        try session.type("\u{4}")
        #expect(await session.code() == 0, "\(session.text)")
        let history = try await parley.run("history")
        #expect(history.output.contains("Salt Lake City") && !history.output.contains("Columbus"))
    }

    @Test func `a missing loudspeaker leaves the answer on the screen`() async throws {
        let question = try SoundFixtures(folder: parley.folder).speech("What is the capital of Texas?")
        let result = try await parley.run("talk", "--input", question, "--device", "no-such-device")
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("Austin"))
        #expect(result.errors.contains("This is not spoken.") && result.errors.contains("no-such-device"))
    }
}
