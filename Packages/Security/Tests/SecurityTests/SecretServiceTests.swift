// SPDX-License-Identifier: MIT

import SecurityTestSupport
import TestKit
import Testing

/// The real thing: GNOME Keyring on a session bus of its own, with a home folder of its own.
@Suite struct SecretServiceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private enum Keyring: String {
        case unlocked = "printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; "
        case locked = "gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1; "
        case wrongPassword = "printf wrong | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; "
    }

    /// The daemon goes to the background before it is on the bus; who asks earlier makes the bus start a second one, which
    /// is locked and talkative.
    private static let wait =
        "until dbus-send --session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus "
        + "org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets | grep -q true; do sleep 0.05; done; "

    /// Runs a script on a fresh bus whose keyring lies in this test's folder.
    private func session(_ keyring: Keyring, _ script: String) async throws -> [String] {
        try await ProbeProcess.lines(
            "exec dbus-run-session -- sh -c \"$SCRIPT\"", home: folder.path,
            environment: ["SCRIPT": keyring.rawValue + Self.wait + script])
    }

    @Test func keepsTheContract() async throws {
        let lines = try await session(.unlocked, "$PROBE contract")
        #expect(lines == SecretStoreContract.checks.map { "kept: \($0)" })
    }

    @Test func aLockedKeyringIsNotAnEmptyOne() async throws {
        let first = try await session(.unlocked, "$PROBE probe; $PROBE set service ada secret; $PROBE get service ada")
        #expect(first == ["ok", "ok", "found secret"])
        for keyring in [Keyring.locked, .wrongPassword] {
            let locked = try await session(
                keyring, "$PROBE get service ada; $PROBE get service nobody; $PROBE set service ada x; $PROBE probe")
            #expect(locked == ["locked", "locked", "locked", "locked"])
        }
        let last = try await session(.unlocked, "$PROBE get service ada; $PROBE get service nobody")
        #expect(last == ["found secret", "absent"])
    }

    @Test func withoutBusOrServiceOrKeyringItIsUnavailable() async throws {
        let script = "$PROBE get service ada; $PROBE set service ada x; $PROBE probe"
        let unavailable = ["unavailable", "unavailable", "unavailable"]
        #expect(try await ProbeProcess.lines(script, home: folder.path) == unavailable)
        #expect(
            try await ProbeProcess.lines(
                script, home: folder.path,
                environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"]) == unavailable)
        // A bus that can start no service.
        let bare = "exec dbus-run-session --config-file=\"$HOME/bare.conf\" -- sh -c \"$SCRIPT\""
        let configuration = """
            <busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
            <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
            </busconfig>
            """
        try folder.write(Array(configuration.utf8), to: "bare.conf")
        #expect(
            try await ProbeProcess.lines(bare, home: folder.path, environment: ["SCRIPT": script]) == unavailable)
        // A keyring daemon that never had a keyring.
        #expect(try await session(.locked, script) == unavailable)
    }

    @Test func `the best store is the keyring, or else a file, and never a locked keyring's file`() async throws {
        let script = "$PROBE best \"$HOME/best\"; ls \"$HOME/best\" 2>/dev/null"
        #expect(try await session(.unlocked, "$PROBE set service ada x; " + script) == ["ok", "SecretServiceStore"])
        #expect(try await session(.locked, script) == ["locked"])
        let lines = try await ProbeProcess.lines(script, home: folder.path)
        #expect(lines.first == "FileSecretStore" && lines.contains("secrets") && lines.contains("secrets.key"))
    }

    /// The bus is not this shell's child: where the first process takes no orphans, as in a container, it stays a zombie.
    @Test func theProgramOutlivesTheBus() async throws {
        let script = """
            cd "$HOME"; mkfifo questions
            dbus-daemon --session --fork --print-pid=3 --print-address=4 3>pid 4>address
            export DBUS_SESSION_BUS_ADDRESS=$(cat address)
            \(Keyring.unlocked.rawValue)
            \(Self.wait)
            $PROBE get-again service ada <questions >answers & probe=$!
            exec 5>questions
            until grep -q . answers; do sleep 0.05; done
            kill $(cat pid)
            while grep -qs '^State:.[^Z]' /proc/$(cat pid)/status; do sleep 0.05; done
            echo again >&5; exec 5>&-
            wait $probe; echo "ended with $?"; cat answers
            """
        #expect(try await ProbeProcess.lines(script, home: folder.path) == ["ended with 0", "absent", "unavailable"])
    }
}
