// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import TestKit
import Testing

@Suite struct SecretsTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    /// Runs a program at a terminal of its own: the lines, apart by bars, and the program's words.
    private static let typing = """
        import os, pty, sys
        lines, seen, asked = sys.argv[1].split("|"), b"", 0
        child, terminal = pty.fork()
        if child == 0:
            os.execv(sys.argv[2], sys.argv[2:])
        while True:
            try:
                chunk = os.read(terminal, 4096)
            except OSError:
                break
            if not chunk:
                break
            seen += chunk
            while seen.count(b": ") > asked and asked < len(lines) and seen.endswith(b": "):
                asked = seen.count(b": ")
                os.write(terminal, lines.pop(0).encode() + b"\\n")
                lines.append("")
        sys.stdout.buffer.write(seen)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """

    /// Runs the program with a terminal of its own, at which these lines are typed, each after one question more.
    private func atTerminal(_ arguments: [String], typing lines: [String]) async throws -> ParleyProcess.Result {
        let words =
            ["/usr/bin/python3", "-c", Self.typing, lines.joined(separator: "|"), ParleyProcess.executable] + arguments
        let run = try ParleyProcess.start(
            words,
            environment: [
                "PARLEY_HOME": parley.path("home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
                "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
            ])
        return await run.finished()
    }

    @Test func aSecretComesBackAsItWasAndIsNowhereInTheClear() async throws {
        let secret = "sk-\u{1F511}-planted-secret"
        let stored = try await parley.run("secrets", "set", "elevenlabs", "--store", "file", input: secret + "\n")
        #expect(stored.code == 0 && !(stored.output + stored.errors).contains("planted"))
        #expect(try await parley.run("secrets", "get", "elevenlabs/default", "--store", "file").output == secret)
        #expect(try await parley.run("secrets", "list", "--store", "file").output == "elevenlabs/default\n")

        let files = try filesLeft()
        for (file, bytes) in files {
            #expect(bytes.range(of: Data("planted".utf8)) == nil, "\(file)")
            let mode = try FileManager.default.attributesOfItem(atPath: parley.path(file))[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(file)")
        }
        #expect(files.count >= 2)

        #expect(try await parley.run("secrets", "delete", "elevenlabs", "--store", "file").code == 0)
        let gone = try await parley.run("secrets", "get", "elevenlabs", "--store", "file", "-v")
        #expect(gone.code == 3 && gone.output.isEmpty && gone.errors.contains("There is no secret"))
    }

    /// Everything that was written below the test's folder, but empty files.
    private func filesLeft() throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: parley.folder)
        let contents = paths.compactMap { path in
            FileManager.default.contents(atPath: parley.path(path)).map { (path, $0) }
        }
        return Dictionary(contents.filter { !$0.1.isEmpty }) { first, _ in first }
    }

    @Test func whatAFullRunWritesHasNoPlantedSecretInIt() async throws {
        let body = #"{"access_token":"planted-body","ok":true}"#
        let response = Array(
            "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nSet-Cookie: id=planted-cookie\r\n\r\n\(body)".utf8
        )
        let server = try FaultProxy(upstream: .response(response)) { $0 == 0 ? Fault(.reset, .inHeader) : nil }
        defer { server.close() }
        let url = "http://127.0.0.1:\(server.port)/?access_token=planted-token&code=planted-code&api_key=planted-key"
        let runs = [
            try await parley.run("secrets", "set", "a/b", "--store", "file", "-v", input: "planted-value"),
            try await parley.run("secrets", "list", "--store", "file", "-v", "--json"),
            try await parley.run(
                "net", "get", url, "--plain-http", "--har", parley.path("log.har"), "--json", "-v"),
            try await parley.run("net", "get", url.replacing("http:", with: "https:"), "-v", "--timeout", "20"),
            try await parley.run("secrets", "get", "a/b", "--passphrase", "-v"),
            try await parley.run("ask", "What is the capital of Ohio?", "-v"),
            try await parley.run("secrets", "set", "eleven", "--store", "file", "-v", input: "planted-speech-key"),
        ]
        #expect(runs[2].code == 0 && runs[3].code == 5 && runs[5].code == 0)
        let spoken = try await SpeechEngineTests.runsWithWrongKey("eleven", parley)
        for run in runs + spoken { #expect(!(run.output + run.errors).contains("planted"), "\(run)") }
        let files = try filesLeft()
        #expect(files.keys.contains("log.har") && files.keys.contains { $0.hasSuffix(".sqlite") })
        for (file, bytes) in files { #expect(bytes.range(of: Data("planted".utf8)) == nil, "\(file)") }
    }

    @Test func withoutAKeyringTheFileServesAndSaysSo() async throws {
        let environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]
        let stored = try await parley.run("secrets", "set", "x/y", input: "value", environment: environment)
        #expect(stored.code == 0 && stored.errors.contains("No keyring here"))
        let listed = try await parley.run("secrets", "list", environment: environment)
        #expect(listed.code == 0 && !listed.errors.contains("No keyring here"), "once is enough")
        let refused = try await parley.run("secrets", "list", "--store", "keyring", environment: environment)
        #expect(refused.code == 6)
    }

    @Test func theRealKeyringKeepsSecrets() async throws {
        let result = try await parley.withKeyring(
            """
            printf 'ring value' | "$0" secrets set ring/one --store keyring
            "$0" secrets get ring/one
            "$0" secrets list ring
            """)
        #expect(result.output.contains("ring value"), "\(result.errors)")
        #expect(result.output.contains("ring/one"))
        #expect(!FileManager.default.fileExists(atPath: parley.path("home/data/secrets.sealed")))
    }

    @Test func `a locked keyring secret needs the passphrase under every home`() async throws {
        let result = try await parley.withKeyring(
            """
            printf 'planted' | "$0" secrets set openai --store keyring
            python3 -c "$TYPING" 'open sesame|open sesame' "$0" secrets lock >/dev/null
            setsid "$0" secrets get openai --store keyring </dev/null || echo "same home: $?"
            PARLEY_HOME=$OTHER setsid "$0" secrets get openai --store keyring </dev/null || echo "other home: $?"
            rm -r "$PARLEY_HOME"
            setsid "$0" secrets get openai --store keyring </dev/null || echo "no files: $?"
            PARLEY_HOME=$OTHER python3 -c "$TYPING" guess "$0" secrets get openai --store keyring >/dev/null \\
                || echo "wrong passphrase: $?"
            echo "until here"
            PARLEY_HOME=$OTHER python3 -c "$TYPING" 'open sesame' "$0" secrets get openai --store keyring
            PARLEY_HOME=$OTHER python3 -c "$TYPING" 'open sesame' "$0" secrets unlock >/dev/null
            echo "unlocked: $("$0" secrets get openai --store keyring)"
            """, ["TYPING": Self.typing, "OTHER": parley.path("other")])
        let halves = result.output.components(separatedBy: "until here")
        #expect(halves[0] == "same home: 6\nother home: 6\nno files: 6\nwrong passphrase: 3\n", "\(result)")
        let rest = try #require(halves.last)
        #expect(rest.contains("planted") && rest.contains("unlocked: planted"), "\(result)")
    }

    @Test func `a locked file secret is sealed despite its key file`() async throws {
        _ = try await parley.run("secrets", "set", "x", "--store", "file", input: "planted")
        _ = try await atTerminal(["secrets", "lock"], typing: ["open sesame", "open sesame"])
        try FileManager.default.removeItem(atPath: parley.path("home/config/app-lock"))
        let bare = try await parley.run(
            "secrets", "get", "x", "--store", "file", through: ["/usr/bin/setsid", "--wait"])
        #expect(bare.code == 6 && bare.output.isEmpty, "\(bare)")
        let right = try await atTerminal(["secrets", "get", "x", "--store", "file"], typing: ["open sesame"])
        #expect(right.code == 0 && right.output.contains("planted"), "\(right.output)")
    }

    /// Runs the program where nobody can type a passphrase.
    private func withoutTerminal(_ words: String...) async throws -> ParleyProcess.Result {
        try await parley.start(words, through: ["/usr/bin/setsid", "--wait"]).finished()
    }

    @Test func `the app lock seals what was asked, and what is asked goes on`() async throws {
        func ask(_ state: String) async throws -> ParleyProcess.Result {
            try await withoutTerminal("ask", "What is the capital of \(state)?")
        }
        func leaks() throws -> [String] {
            try filesLeft().filter { $0.value.range(of: Data("capital".utf8)) != nil }.map(\.key)
        }
        #expect(try await ask("Texas").code == 0)
        #expect(try await parley.run("cues", "list").code == 0)
        #expect(try await parley.run("settings", "set", "wake-word", "hey capital").code == 0)
        #expect(try leaks().contains { $0.contains("conversations.sqlite") })
        let locked = try await atTerminal(["secrets", "lock"], typing: ["open sesame", "open sesame"])
        #expect(locked.code == 0, "\(locked.output)")
        #expect(try leaks() == [])

        let answered = try await ask("Ohio")
        #expect(answered.code == 0 && answered.output.contains("Columbus") && answered.errors.isEmpty, "\(answered)")
        for refused in [try await withoutTerminal("history"), try await withoutTerminal("history", "search", "Texas")] {
            #expect(refused.code != 0 && refused.output.isEmpty && refused.errors.contains("passphrase"), "\(refused)")
        }
        let settings = try await withoutTerminal("settings", "list")
        #expect(settings.code != 0 && settings.errors.contains("passphrase"), "\(settings)")
        let stats = try await withoutTerminal("stats")
        #expect(stats.code != 0 && stats.output.isEmpty && stats.errors.contains("passphrase"), "\(stats)")
        let counted = try await atTerminal(["stats"], typing: ["open sesame"])
        #expect(counted.output.contains("2 questions"), "\(counted)")
        let opened = try await atTerminal(["settings", "get", "wake-word"], typing: ["open sesame"])
        #expect(opened.output.contains("hey capital"), "\(opened)")
        let doctor = try await withoutTerminal("doctor")
        #expect(doctor.output.contains("is sealed, and a command that needs it asks for the passphrase"), "\(doctor)")
        // Without the file of the lock, and under another home with a copy of the data.
        try FileManager.default.removeItem(atPath: parley.path("home/config/app-lock"))
        #expect(try await withoutTerminal("history").code != 0)
        #expect(try await ask("Utah").errors.isEmpty)
        #expect(try leaks() == [])

        let shown = try await atTerminal(["history"], typing: ["open sesame"])
        for word in ["Austin", "Columbus", "Salt Lake City"] { #expect(shown.output.contains(word), "\(shown.output)") }
        #expect(try await atTerminal(["history", "repair"], typing: ["open sesame"]).output.contains("is sound"))
        #expect(try leaks() == [])
        let unlocked = try await atTerminal(["secrets", "unlock"], typing: ["open sesame"])
        #expect(unlocked.code == 0, "\(unlocked.output)")
        let all = try await withoutTerminal("history")
        #expect(all.code == 0 && all.output.contains("Austin") && all.output.contains("Salt Lake City"), "\(all)")
    }

    @Test func `deleting everything takes the lock away, without its passphrase`() async throws {
        _ = try await parley.run("ask", "What is the capital of Texas?")
        _ = try await atTerminal(["secrets", "lock"], typing: ["open sesame", "open sesame"])
        _ = try await parley.run("ask", "What is the capital of Ohio?")
        #expect(try await withoutTerminal("data", "delete", "--yes", "--offline").code == 0)
        #expect(try filesLeft().keys.filter { !$0.hasPrefix("keyring") } == [])
        #expect(try await parley.run("ask", "What is the capital of Utah?").errors.isEmpty)
        let left = try await parley.run("history")
        #expect(left.output.contains("Salt Lake City") && !left.output.contains("Columbus"), "\(left)")
    }

    @Test func theLockAsksForItsPassphraseAndRefusesAnother() async throws {
        _ = try await parley.run("secrets", "set", "x", "--store", "file", input: "value")
        let locked = try await atTerminal(["secrets", "lock"], typing: ["open sesame", "open sesame"])
        #expect(locked.code == 0 && !locked.output.contains("sesame"), "\(locked.output)")
        let wrong = try await atTerminal(["secrets", "get", "x", "--store", "file"], typing: ["guess"])
        #expect(wrong.code == 3 && !wrong.output.contains("value"), "\(wrong.output)")
        let right = try await atTerminal(["secrets", "get", "x", "--store", "file"], typing: ["open sesame"])
        #expect(right.code == 0 && right.output.contains("value"), "\(right.output)")
        let unlocked = try await atTerminal(["secrets", "unlock"], typing: ["open sesame"])
        #expect(unlocked.code == 0)
        #expect(try await parley.run("secrets", "get", "x", "--store", "file").output == "value")
    }

    @Test func aPassphraseSealsTheFile() async throws {
        let words = ["secrets", "set", "x", "--passphrase"]
        let stored = try await atTerminal(words, typing: ["correct horse", "battery staple"])
        #expect(stored.code == 0 && !stored.output.contains("staple"), "\(stored.output)")
        let wrong = try await atTerminal(["secrets", "get", "x", "--passphrase"], typing: ["incorrect"])
        #expect(wrong.code == 3, "\(wrong.output)")
        let right = try await atTerminal(["secrets", "get", "x", "--passphrase"], typing: ["correct horse"])
        #expect(right.output.contains("battery staple"))
    }

    @Test(arguments: [
        (["secrets", "set"], "NAME is missing"), (["secrets", "set", "x", "value"], "one argument too many"),
        (["secrets", "set", "/x"], "1 to 255 bytes"), (["secrets", "get", "x", "--json"], "never written as JSON"),
        (["secrets", "list", "--store", "keyring", "--passphrase"], "is for --store file"),
        (["secrets", "list", "--store", "cloud"], "Choose one of"),
    ])
    func whatMakesNoSenseIsRefused(_ words: [String], _ message: String) async throws {
        let result = try await parley.start(words).finished()
        #expect(result.code == 2)
        #expect((result.errors + result.output).contains(message), "\(result.errors)\(result.output)")
    }
}
