// SPDX-License-Identifier: MIT

import DBus
import TestKit
import Testing

@testable import DesktopNotifications

@Suite(.serialized, .timeLimit(.minutes(5))) struct DesktopNotifierTests {
    @Test func theDaemonGetsWhatIsSaid() async throws {
        let desktop = try Desktop()
        let notifier = DesktopNotifier(application: "parley", address: desktop.address)
        let first = try await notifier.show(DesktopNotification(title: "Texas?", body: "The capital is Austin."))
        #expect(first > 0)
        #expect(desktop.calls.contains("Notify"))
        #expect(desktop.calls.contains("\"Texas?\" \"The capital is Austin.\""))
        let second = try await notifier.show(
            DesktopNotification(title: "Gone", body: "<b>a & b</b>\0", urgency: .critical), replacing: first)
        #expect(desktop.calls.contains("\"parley\" \(first) \"\" \"Gone\""))
        #expect(desktop.calls.contains("2"), "the urgency")
        try await notifier.close(second)
        #expect(desktop.calls.contains("CloseNotification \(second)"))
    }

    @Test func withoutABusOrADaemonTheErrorSaysSo() async throws {
        let nowhere = DesktopNotifier(application: "parley", address: "unix:path=/nonexistent/bus")
        let noBus = await #expect(throws: DesktopNotificationError.self) {
            try await nowhere.show(DesktopNotification(title: "x"))
        }
        #expect(noBus?.code == .noSessionBus)
        let desktop = try Desktop(hasDaemon: false)
        let notifier = DesktopNotifier(application: "parley", address: desktop.address)
        let noServer = await #expect(throws: DesktopNotificationError.self) {
            try await notifier.show(DesktopNotification(title: "x"))
        }
        #expect(noServer?.code == .noServer)
    }

    @Test func aBusThatGoesAwayEndsNothing() async throws {
        var desktop: Desktop? = try Desktop()
        let address = try #require(desktop).address
        let notifier = DesktopNotifier(application: "parley", address: address)
        try await notifier.show(DesktopNotification(title: "x"))
        desktop = nil
        await #expect(throws: DesktopNotificationError.self) {
            try await notifier.show(DesktopNotification(title: "y"))
        }
    }

    @Test func `choices end with the bus`() async throws {
        var desktop: Desktop? = try Desktop()
        let notifier = DesktopNotifier(application: "parley", address: try #require(desktop).address)
        var choices = try await notifier.choices().makeAsyncIterator()
        desktop = nil
        #expect(await choices.next() == nil)
    }

    @Test func `every call connects to a restarted bus`() async throws {
        let folder = try TemporaryFolder()
        var desktop: Desktop? = try Desktop(in: folder)
        let notifier = DesktopNotifier(application: "parley", address: try #require(desktop).address)
        let first = try await notifier.show(DesktopNotification(title: "x"))
        func restart() throws {
            desktop = nil
            desktop = try Desktop(in: folder)
        }
        try restart()
        var choices = try await notifier.choices().makeAsyncIterator()
        try desktop?.emit("ActionInvoked", "us", "uint32 7", "'act'")
        #expect(await choices.next() == 7)
        // The id may be another program's now.
        try await notifier.show(DesktopNotification(title: "y"), replacing: first)
        #expect(desktop?.calls.contains("\"parley\" 0 \"\" \"y\"") == true)
        try restart()
        try await notifier.close(first)
        #expect(desktop?.calls.contains("CloseNotification") == false)
    }

    @Test func `a pressed button and a dismissal arrive, another program's signal does not`() async throws {
        let desktop = try Desktop()
        let notifier = DesktopNotifier(application: "parley", address: desktop.address)
        var choices = try await notifier.choices().makeAsyncIterator()
        let notification = DesktopNotification(title: "Timer", urgency: .critical, action: "Stop")
        let first = try await notifier.show(notification)
        #expect(desktop.calls.contains("[\"act\", \"Stop\"]"), "\(desktop.calls)")
        try desktop.emit("ActionInvoked", "us", "uint32 7", "'act'", byDaemon: false)
        try desktop.emit("ActionInvoked", "us", "uint32 8", "'other'")
        try desktop.emit("NotificationClosed", "uu", "uint32 9", "uint32 1")
        try desktop.emit("ActionInvoked", "ss", "'10'", "'act'")
        try desktop.emit("ActionInvoked", "us", "uint32 \(first)", "'act'")
        #expect(await choices.next() == first)
        try desktop.emit("NotificationClosed", "uu", "uint32 11", "uint32 2")
        #expect(await choices.next() == 11)
        let again = try await notifier.choices()
        #expect(await choices.next() == nil, "a second call ends the first one's stream")
        withExtendedLifetime(again) {}
    }

    @Test func markupIsEscapedAndSocketsWithOddNamesAreFound() {
        #expect(NotificationServer.withoutMarkup("a<b> & \"c\"") == "a&lt;b&gt; &amp; \"c\"")
        #expect(SessionBus.escaped("/run/user/1 0/büs") == "/run/user/1%200/b%c3%bcs")
    }
}
