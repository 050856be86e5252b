// SPDX-License-Identifier: MIT

import AudioKitLinuxTestSupport
import Foundation
import TestKit
import Testing

/// A recording beside a media player and logind, which are a script on a real bus of the test's own.
@Suite(.timeLimit(.minutes(5))) struct RecordingCompanyTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    /// Starts a recording at a terminal, with a player that plays.
    private func record(_ options: String...) throws -> TerminalRun {
        let sound = parley.path("in.wav")
        try WAVSilence.write(seconds: 600, to: sound)
        try Data(Self.peer.utf8).write(to: URL(filePath: parley.path("peer.py")))
        let script = """
            trap : INT
            setsid dbus-daemon --session --fork --print-address=1 --print-pid=5 5>"$HOME/bus.pid" >"$HOME/bus.address"
            trap 'kill "$(cat "$HOME/bus.pid")"' EXIT
            export DBUS_SESSION_BUS_ADDRESS="$(cat "$HOME/bus.address")" DBUS_SYSTEM_BUS_ADDRESS="$(cat "$HOME/bus.address")"
            mkfifo "$HOME/orders"
            setsid /usr/bin/python3 "$HOME/peer.py" "$HOME/calls" "$HOME/orders" &
            gdbus wait --session --timeout 60 org.freedesktop.login1
            "$0" record "$HOME/out.wav" --rate 16000 --input "$HOME/in.wav" "$@"
            """
        return try TerminalRun(
            ["/bin/sh", "-uc", script, ParleyProcess.executable]
                + options,
            environment: parley.environment)
    }

    /// Has logind say something.
    private func order(_ text: String) throws {
        let orders = try FileHandle(forWritingTo: URL(filePath: parley.path("orders")))
        try orders.write(contentsOf: Data((text + "\n").utf8))
        try orders.close()
    }

    private var calls: String {
        get throws { try String(contentsOfFile: parley.path("calls"), encoding: .utf8) }
    }

    @Test func `a recording rests with the machine, and players with it`() async throws {
        let run = try record()
        try await run.shows("Recording.")
        #expect(try calls == "Pause\n")
        try order("sleep")
        try await run.shows("the recording rests. Enter goes on")
        try await run.shows("rest  ")
        try run.type("\n")
        try await run.shows("record 0:")
        try run.type("\u{4}")
        try await run.shows("are in ")
        #expect(await run.code() == 0)
        #expect(try calls == "Pause\nPlay\n")
        #expect(FileManager.default.fileExists(atPath: parley.path("out.wav")))
    }

    @Test func `a recording rests when the default microphone becomes another one`() async throws {
        let pulse = try await PulseDaemon()
        pulse.setDefaultMicrophone(PulseDaemon.monitor)
        try Data("pcm.!default \(pulse.definition(of: "@DEFAULT_SOURCE@"))\n".utf8)
            .write(to: URL(filePath: parley.path(".asoundrc")))
        let run = try TerminalRun(
            [ParleyProcess.executable, "record", parley.path("out.wav"), "--rate", "16000"],
            environment: parley.environment.merging(["PULSE_SERVER": pulse.address]) { $1 })
        try await run.shows("Recording.")
        pulse.setDefaultMicrophone("other.monitor")
        try await run.shows("The default microphone is now other.monitor. What was recorded is kept. Enter goes on")
        try run.type("\n")
        try await run.shows("record 0:")
        try run.type("\u{4}")
        try await run.shows("are in ")
        #expect(await run.code() == 0)
        withExtendedLifetime(pulse) {}
    }

    @Test func `an interrupted recording lets players go on`() async throws {
        let run = try record()
        try await run.shows("Recording.")
        try run.type("\u{3}")
        _ = await run.code()
        #expect(try calls == "Pause\nPlay\n")
    }

    @Test(arguments: [true, false]) func `players that may play are left alone`(isSetting: Bool)
        async throws
    {
        if isSetting {
            try FileManager.default.createDirectory(
                atPath: parley.path("home/config"), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try Data(#"{"keepPlaying": true}"#.utf8).write(
                to: URL(filePath: parley.path("home/config/settings.json")))
        }
        let run = try isSetting ? record() : record("--keep-playing")
        try await run.shows("Recording.")
        try run.type("\u{4}")
        #expect(await run.code() == 0)
        #expect(try calls.isEmpty)
    }

    private static let peer = """
        import sys, threading
        import dbus, dbus.service
        from dbus.mainloop.glib import DBusGMainLoop
        from gi.repository import GLib
        DBusGMainLoop(set_as_default=True)
        bus, calls = dbus.SessionBus(), open(sys.argv[1], "w", buffering=1)

        class Player(dbus.service.Object):
            status = "Playing"
            @dbus.service.method("org.mpris.MediaPlayer2.Player")
            def Pause(self):
                self.status = "Paused"
                calls.write("Pause\\n")
            @dbus.service.method("org.mpris.MediaPlayer2.Player")
            def Play(self):
                self.status = "Playing"
                calls.write("Play\\n")
            @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
            def Get(self, interface, member): return self.status

        class Logind(dbus.service.Object):
            @dbus.service.signal("org.freedesktop.login1.Manager", signature="b")
            def PrepareForSleep(self, begins): pass
            def sleep(self):
                self.PrepareForSleep(True)
                self.PrepareForSleep(False)

        player = Player(bus, "/org/mpris/MediaPlayer2")
        logind = Logind(bus, "/org/freedesktop/login1")
        music = dbus.service.BusName("org.mpris.MediaPlayer2.music", bus)
        login = dbus.service.BusName("org.freedesktop.login1", bus)

        def read():
            while True:
                for text in open(sys.argv[2]):
                    GLib.idle_add(logind.sleep)
        threading.Thread(target=read, daemon=True).start()
        GLib.MainLoop().run()
        """
}
