// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import DesktopNotifications

/// Players and logind as scripts on a real bus.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CompanyTests {
    /// Waits for the scripts as long as a busy machine may take.
    private func patientPlayers(_ desktop: Desktop) -> MediaPlayers {
        MediaPlayers(address: desktop.address, timeout: 60_000)
    }

    @Test func `players that play are paused, and only they go on`() async throws {
        let desktop = try Desktop(hasDaemon: false)
        let playing = try BusPeer.player("music", "Playing", on: desktop)
        let paused = try BusPeer.player("film", "Paused", on: desktop)
        let standIn = try BusPeer.player("playerctld", "Playing", on: desktop)
        let players = patientPlayers(desktop)
        #expect(await players.pausePlaying() == 1)
        #expect(await players.resumePaused() == 1)
        #expect(await players.resumePaused() == 0)
        #expect(playing.end() == ["Pause", "Play"])
        #expect(paused.end() == [])
        #expect(standIn.end() == [])
    }

    @Test func `a player that the person starts again is left alone`() async throws {
        let desktop = try Desktop(hasDaemon: false)
        let player = try BusPeer.player("music", "Playing", on: desktop)
        let players = patientPlayers(desktop)
        #expect(await players.pausePlaying() == 1)
        player.tell("Playing")
        #expect(await players.resumePaused() == 0)
        #expect(player.end() == ["Pause"])
    }

    @Test func `a player that refuses or ends holds nothing up`() async throws {
        let desktop = try Desktop(hasDaemon: false)
        let stubborn = try BusPeer.player("stubborn", "Playing", on: desktop, refuses: true)
        let mortal = try BusPeer.player("mortal", "Playing", on: desktop)
        let players = patientPlayers(desktop)
        #expect(await players.pausePlaying() == 1)
        #expect(mortal.end() == ["Pause"])
        #expect(await players.resumePaused() == 0)
        #expect(stubborn.end() == ["Pause"])
    }

    @Test func `players of a restarted bus are paused`() async throws {
        let folder = try TemporaryFolder()
        var desktop = try Desktop(hasDaemon: false, in: folder)
        let players = patientPlayers(desktop)
        #expect(await players.pausePlaying() == 0)
        desktop = try Desktop(hasDaemon: false, in: folder)
        let player = try BusPeer.player("music", "Playing", on: desktop)
        // GIO notices the end of the old bus on a thread of its own.
        try await eventually { await players.pausePlaying() == 1 }
        #expect(await players.resumePaused() == 1)
        #expect(player.end() == ["Pause", "Play"])
    }

    @Test func `without a bus there are no players and no sleep`() async throws {
        let players = MediaPlayers(address: "unix:path=/nonexistent/bus")
        #expect(await players.pausePlaying() == 0)
        #expect(await players.resumePaused() == 0)
        let watch = SleepWatch(address: "unix:path=/nonexistent/bus")
        await watch.events().forEach { Issue.record("\($0)") }
    }

    @Test func `sleep and waking up are heard, and nothing else`() async throws {
        let desktop = try Desktop(hasDaemon: false)
        let events = await SleepWatch(address: desktop.address).events()
        let logind = try BusPeer.logind(on: desktop)
        for line in ["Other", "PrepareForShutdown", "true", "false"] { logind.tell(line) }
        #expect(await first(2, of: events) == [true, false])
        _ = logind.end()
    }

    @Test func `sleep waits until a recording rests`() async throws {
        let desktop = try Desktop(hasDaemon: false)
        let logind = try BusPeer.logind(on: desktop)
        let events = await SleepWatch(address: desktop.address).events()
        for line in ["true", "false"] { logind.tell(line) }
        let (seen, sender) = AsyncStream.makeStream(of: String.self)
        let watching = Task {
            await events.forEach { isAboutToSleep in
                sender.yield(logind.tell("isDelayed"))
                sender.yield("\(isAboutToSleep)")
            }
        }
        defer { watching.cancel() }
        // It is delayed while the first event is handled, and no longer while the second one is.
        var words: [String] = []
        for await word in seen.prefix(4) { words.append(word) }
        #expect(words == ["1", "true", "0", "false"])
        #expect(logind.end().first == "sleep Parley delay")
    }

    private func first(_ count: Int, of events: SleepEvents) async -> [Bool] {
        let (seen, sender) = AsyncStream.makeStream(of: Bool.self)
        let watching = Task { await events.forEach { sender.yield($0) } }
        defer { watching.cancel() }
        return await seen.prefix(count).reduce(into: []) { $0.append($1) }
    }
}

/// A program on a bus, in Python, that writes down the calls that it gets and does what it is told on its input.
final class BusPeer: Sendable {
    private let process: ChildProcess

    static func player(
        _ name: String, _ status: String, on desktop: Desktop, refuses: Bool = false
    ) throws -> BusPeer {
        try BusPeer(
            ["player", "org.mpris.MediaPlayer2.\(name)", status, refuses ? "refuses" : "obeys"], desktop)
    }

    static func logind(on desktop: Desktop) throws -> BusPeer {
        try BusPeer(["logind", "org.freedesktop.login1"], desktop)
    }

    private init(_ words: [String], _ desktop: Desktop) throws {
        process = try ChildProcess(
            "/usr/bin/python3", ["-c", Self.script] + words,
            environment: .only(["DBUS_SESSION_BUS_ADDRESS": desktop.address, "PATH": "/usr/bin:/bin"]), input: .pipe)
        // It says so once it has its name.
        try #require(process.line() == "ready")
    }

    /// Has the player change its status by itself, or logind send a signal or count those who delay sleep.
    ///
    /// - Returns: What it answers when that is done.
    @discardableResult
    func tell(_ text: String) -> String {
        process.write(text + "\n")
        return process.line() ?? ""
    }

    /// Ends it.
    ///
    /// - Returns: The calls that it got.
    func end() -> [String] {
        process.finish().output.split(separator: "\n").map(String.init)
    }

    private static let script = """
        import os, select, sys, threading
        import dbus, dbus.service
        from dbus.mainloop.glib import DBusGMainLoop
        from gi.repository import GLib
        DBusGMainLoop(set_as_default=True)
        kind, name = sys.argv[1:3]
        loop, bus, calls = GLib.MainLoop(), dbus.SessionBus(), []

        class Player(dbus.service.Object):
            interface = "org.mpris.MediaPlayer2.Player"
            status = sys.argv[3] if kind == "player" else ""
            def press(self, button, status):
                calls.append(button)
                if sys.argv[4] == "refuses":
                    raise dbus.DBusException("no", name="org.example.Refused")
                self.status = status
            @dbus.service.method(interface)
            def Pause(self): self.press("Pause", "Paused")
            @dbus.service.method(interface)
            def Play(self): self.press("Play", "Playing")
            @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
            def Get(self, interface, member): return self.status
            def told(self, text): self.status = text

        class Logind(dbus.service.Object):
            delays = []
            @dbus.service.method("org.freedesktop.login1.Manager", in_signature="ssss", out_signature="h")
            def Inhibit(self, what, who, why, mode):
                calls.append(f"{what} {who} {mode}")
                kept, given = os.pipe()
                self.delays.append(kept)
                descriptor = dbus.types.UnixFd(given)
                os.close(given)
                return descriptor
            def count(self):
                # The other end of a pipe is closed when it can be read to its end.
                self.delays = [each for each in self.delays if not select.select([each], [], [], 0)[0]]
                return str(len(self.delays))
            @dbus.service.signal("org.freedesktop.login1.Manager", signature="b")
            def PrepareForSleep(self, begins): pass
            @dbus.service.signal("org.freedesktop.login1.Manager", signature="b")
            def PrepareForShutdown(self, begins): pass
            @dbus.service.signal("org.example.Manager", signature="s")
            def Other(self, text): pass
            def told(self, text):
                if text == "isDelayed": return self.count()
                if text in ("true", "false"): self.PrepareForSleep(text == "true")
                elif text == "Other": self.Other("x")
                else: self.PrepareForShutdown(True)

        peer = (Player(bus, "/org/mpris/MediaPlayer2") if kind == "player"
                else Logind(bus, "/org/freedesktop/login1"))
        owned = dbus.service.BusName(name, bus, do_not_queue=True)
        print("ready", flush=True)

        def read():
            for text in sys.stdin:
                def act(text=text.strip()):
                    answer = peer.told(text)
                    bus.flush()
                    print(answer or "done", flush=True)
                GLib.idle_add(act)
            GLib.idle_add(loop.quit)
        threading.Thread(target=read, daemon=True).start()
        loop.run()
        for call in calls: print(call)
        """
}
