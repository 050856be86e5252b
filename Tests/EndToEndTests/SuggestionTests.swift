// SPDX-License-Identifier: MIT

import DBusTestSupport
import Foundation
import TestKit
import Testing

/// `parley suggestions`, from a habit in the history to the desktop.
@Suite(.timeLimit(.minutes(5))) struct SuggestionTests {
    /// A notification server that writes the title and the text of each notification in one line.
    private static let desktop = """
        import dbus, dbus.service, dbus.mainloop.glib, sys
        from gi.repository import GLib
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bus = dbus.SessionBus()
        name = dbus.service.BusName("org.freedesktop.Notifications", bus)
        class Desktop(dbus.service.Object):
            @dbus.service.method("org.freedesktop.Notifications", in_signature="susssasa{sv}i", out_signature="u")
            def Notify(self, app, replaces, icon, title, body, actions, hints, timeout):
                print((title + " / " + body).replace("\\n", " / "), flush=True)
                return 1
            @dbus.service.method("org.freedesktop.Notifications", out_signature="as")
            def GetCapabilities(self):
                return ["body"]
        desktop = Desktop(bus, "/org/freedesktop/Notifications")
        print("ready", flush=True)
        GLib.MainLoop().run()
        """

    private func shown(_ parley: ParleyProcess) async throws -> [[String: Any]] {
        let run = try await parley.run("suggestions", "show", "--json")
        #expect(run.code == 0, "\(run)")
        return run.events.first?["shown"] as? [[String: Any]] ?? []
    }

    @Test func `a habit is suggested once it may be, on the desktop too, until it is dismissed`() async throws {
        let (parley, bus) = (try ParleyProcess(), try PrivateBus())
        let desktop = try bus.peer(Self.desktop)
        try await HabitFixture.ask("What is the news?", in: parley)
        let off = try await parley.run("suggestions", "show")
        #expect(off.output.contains("Nothing is suggested"), "\(off)")
        let limit = try await parley.run("suggestions", "limit", "--per-day", "2", "--quiet", "none")
        #expect(limit.code == 0 && limit.output.contains("Nothing is suggested"), "\(limit)")
        let on = try await parley.run("suggestions", "on")
        #expect(on.output.contains("Suggestions a day: at most 2, at any time."), "\(on)")

        let service = try parley.start(["service", "--json"], environment: bus.variables)
        await service.detached { while let line = $0.line(), !line.contains("\"suggestion\"") {} }
        let notification = await desktop.detached { $0.line() } ?? ""
        #expect(notification.contains("You usually ask this now / What is the news? / Never again: parley"))
        service.kill(SIGTERM)
        _ = await service.finished()

        let first = try #require(try await shown(parley).first)
        let id = try #require(first["id"] as? String)
        #expect(first["question"] as? String == "What is the news?" && notification.contains(id))
        let status = try await parley.run("status")
        #expect(status.output.contains("You usually ask now: What is the news?"), "\(status)")
        let archive = parley.path("all.tar")
        #expect(try await parley.run("data", "export", archive, "--offline").code == 0)
        let tar = try ChildProcess("tar", ["-xOf", archive, "settings.jsonl"], errors: .captured).finish()
        #expect(tar.output.contains("What is the news?"), "\(tar)")

        #expect(try await parley.run("suggestions", "dismiss", id).code == 0)
        #expect(try await shown(parley).first?["isDismissed"] as? Bool == true)
        #expect(try await !parley.run("status").output.contains("You usually ask"))
        #expect(try await parley.run("history", "delete", "news", "--yes").code == 0)
        #expect(try await shown(parley).isEmpty, "the words went with the history")
    }

    @Test func `listen shows it in its line, and never to one who keeps no history`() async throws {
        let parley = try ParleyProcess()
        try await HabitFixture.ask("What is the news?", in: parley)
        #expect(try await parley.run("suggestions", "limit", "--quiet", "none").code == 0)
        #expect(try await parley.run("suggestions", "on").code == 0)
        let silence = parley.path("silence.wav")
        try WAVSilence.write(seconds: 3, to: silence)
        func listen(_ more: String...) async throws -> ParleyProcess.Result {
            let words = ["listen", "--input", silence, "--output", "/dev/null", "--no-notifications", "--json"]
            let running = try parley.start(words + more)
            running.closeInput()
            return await running.finished()
        }
        let without = try await listen("--no-history")
        #expect(without.code == 0 && without.event("suggestion") == nil, "\(without)")
        let with = try await listen()
        #expect(with.event("suggestion")?["question"] as? String == "What is the news?", "\(with)")
        // Not again within the hour.
        #expect(try await listen().event("suggestion") == nil)
    }

    @Test(arguments: [
        ["limit"], ["limit", "--per-day", "0"], ["limit", "--quiet", "22-7"], ["limit", "--quiet", "24:00-7:00"],
        ["limit", "--quiet", "7:00-7:00"], ["dismiss"], ["dismiss", "news"], ["on", "please"],
    ]) func `wrong words are refused`(words: [String]) async throws {
        let running = try ParleyProcess().start(["suggestions"] + words)
        running.closeInput()
        #expect(await running.finished().code == 2)
    }

    @Test func `what was never suggested cannot be dismissed, and quiet hours are shown`() async throws {
        let parley = try ParleyProcess()
        let unknown = try await parley.run("suggestions", "dismiss", "0123abcd")
        #expect(unknown.code != 0 && unknown.errors.contains("suggestions show"), "\(unknown)")
        #expect(try await parley.run("suggestions", "on").output.contains("from 22:00 to 7:00"))
        let limit = try await parley.run("suggestions", "limit", "--quiet", "13:30-14:00")
        #expect(limit.output.contains("from 13:30 to 14:00"), "\(limit)")
        #expect(try await parley.run("suggestions", "off").output.contains("Nothing is suggested"))
    }
}
