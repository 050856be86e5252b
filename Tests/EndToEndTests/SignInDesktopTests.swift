// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Foundation
import HTTPServer
import Networking
import TestKit
import Testing

/// Signing in together with what a desktop has: a keyring, notifications, something that opens links; and with an API key.
@Suite(.timeLimit(.minutes(5))) struct SignInDesktopTests {
    private let fixture: SignInFixture

    init() throws { fixture = try SignInFixture() }

    /// Runs a shell script on a session bus of its own, with the program as `$0`. What it starts ends after 90 s at the latest.
    private func onSessionBus(_ script: String, _ arguments: String...) async throws -> ParleyProcess.Result {
        let run = try ParleyProcess.start(
            ["timeout", "--kill-after=1", "90", "dbus-run-session", "--", "/bin/sh", "-euc", script]
                + [ParleyProcess.executable] + arguments,
            environment: fixture.parley.environment.merging([
                "PARLEY_SERVER": fixture.server.address, "XDG_RUNTIME_DIR": fixture.parley.folder,
                "XDG_DATA_HOME": fixture.parley.path("share"),
            ]) { $1 })
        return await run.finished()
    }

    @Test func theDesktopOpensTheLinkAndSaysWhatCameOfIt() async throws {
        let asked = try await fixture.run("sign-in", SignInFixture.email, "--no-wait", "--link-by", "application")
        #expect(asked.code == 0, "\(asked.errors)")
        let (location, _) = try await fixture.browse(fixture.server.mail().link)
        // The same link twice, as by a double click: by then somebody is signed in.
        let script = """
            "$0" install
            python3 -m dbusmock --template notification_daemon --logfile "$HOME/notes" &
            daemon=$!
            gdbus wait --session --timeout 60 org.freedesktop.Notifications
            for text in 'Signed in as' 'signed in already'; do
                gio launch "$XDG_DATA_HOME/applications/parley-sign-in.desktop" "$1"
                until grep -q "$text" "$HOME/notes"; do sleep 0.05; done
            done
            kill -KILL $daemon
            """
        let result = try await onSessionBus(script, location)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        let notes = try String(contentsOfFile: fixture.parley.path("notes"), encoding: .utf8)
        #expect(notes.contains("Signed in as \(SignInFixture.email)"))
        #expect(!notes.contains("code=") && !notes.contains("state="))
        #expect(try await fixture.whoami() == (0, SignInFixture.email))
    }

    @Test func theKeyringKeepsTheSessionAndNothingElseStandsInForIt() async throws {
        let script = """
            mkfifo "$HOME/password"
            gnome-keyring-daemon --foreground --unlock --components=secrets <"$HOME/password" >/dev/null 2>&1 &
            keyring=$!
            printf unlock-me >"$HOME/password"
            gdbus wait --session --timeout 60 org.freedesktop.secrets
            "$0" sign-in "$1" --no-wait
            until grep -h -o '^    [0-9]\\{6\\}' "$2"/new/* >"$HOME/code" 2>/dev/null; do sleep 0.05; done
            "$0" verify $(cat "$HOME/code")
            "$0" whoami
            kill -KILL $keyring
            DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere "$0" whoami || echo "code $?"
            """
        let result = try await onSessionBus(script, SignInFixture.email, fixture.parley.path("server/mail"))
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("\n\(SignInFixture.email) at "), "\(result.output)")
        #expect(!FileManager.default.fileExists(atPath: fixture.parley.path("home/data/secrets.sealed")))
        // Elsewhere than in the keyring there is no session: that is said, and not that nobody is signed in.
        #expect(result.output.contains("code 6") && result.errors.contains("--store file"), "\(result.errors)")
    }

    @Test func anAPIKeyComesFromTheSecretsOrTheEnvironment() async throws {
        let keys = Guarded<[String]>([])
        let server = HTTPServer(configuration: HTTPServerConfiguration()) { request in
            keys.withLock { $0.append(request.headers["apikey"] ?? "none") }
            return try .json([String: String]())
        }
        let address = "http://\(try await server.start())"
        let words = ["sign-in", SignInFixture.email, "--no-wait", "--server", address, "--store", "file"]
        let missing = try await fixture.parley.start(words + ["--api-key", "supabase"]).finished()
        #expect(missing.code == 3 && missing.errors.contains("no secret supabase/default"), "\(missing.errors)")
        let stored = try await fixture.parley.run(
            "secrets", "set", "supabase", "--store", "file", input: "planted-key\n")
        #expect(stored.code == 0)
        #expect(try await fixture.parley.start(words + ["--api-key", "supabase"]).finished().code == 0)
        // The name of the key is kept with the server's address; the variable comes first.
        #expect(try await fixture.parley.run("verify", "123456").code == 5)
        let other = ["PARLEY_API_KEY": "other-key"]
        #expect(try await fixture.parley.run("verify", "123456", environment: other).code == 5)
        #expect(keys.withLock { $0 } == ["planted-key", "planted-key", "other-key"])
        await server.stop(grace: .zero)
        let settings = try String(contentsOfFile: fixture.parley.path("home/config/account.json"), encoding: .utf8)
        #expect(settings.contains("supabase") && !settings.contains("planted"))
    }
}
