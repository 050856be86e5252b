// SPDX-License-Identifier: MIT

import DBus
import DBusTestSupport
import DataAssistant
import Domain
import DomainTestSupport
import Foundation
import TestKit
import Testing

/// The sources of a person's situation, over real buses with the mocks of python-dbusmock.
@Suite(.timeLimit(.minutes(5))) struct ContextSourceTests {
    private static let nowhere = DBusBus.address("unix:path=/nonexistent")
    private static let now = Date(timeIntervalSince1970: 1_795_507_200)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: Clock and history

    @Test func `the clock tells the time of the place`() async throws {
        let clock = ClockContextSource(now: { Self.now }, offset: { _, _ in 7_200 })
        #expect(try await clock.read() == .time(LocalTime(minute: 600, weekday: 2)))
    }

    @Test func `history has the last five questions`() async throws {
        let source = HistoryContextSource { Self.messages(7) }
        #expect(try await source.read() == .history(["6", "5", "4", "3", "2"]))
    }

    private static func messages(_ count: Int) -> [Message] {
        (0..<count).flatMap { number in
            [Message.Role.user, .assistant].map { role in
                Message(
                    conversation: .init(), turn: TurnID(), role: role, modality: .text, text: "\(number)",
                    createdAt: now)
            }
        }
    }

    @Test(arguments: ContextSourceContract.checks)
    func contractOfHistory(_ check: ContractCheck<ContextSourceSubject>) async throws {
        try await check.run(
            ContextSourceSubject(
                HistoryContextSource { Self.messages(7) },
                failing: ["storage": { HistoryContextSource { throw DomainError.storage("It is locked.") } }]))
    }

    // MARK: The kernel's files

    /// A source with a model, a system and power supplies, each of a name and its files.
    private func device(_ supplies: [String: [String: String]] = [:]) throws -> DeviceContextSource {
        try folder.write("X1 Carbon\n", to: "model")
        try folder.write("ID=debian\nPRETTY_NAME=\"Debian 12\"\n", to: "system")
        for (supply, files) in supplies {
            let path = folder.file("supplies/\(supply)")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for (file, text) in files { try folder.write(text + "\n", to: "supplies/\(supply)/\(file)") }
        }
        return DeviceContextSource(
            modelFile: folder.file("model"), systemFile: folder.file("system"), supplies: folder.file("supplies"))
    }

    @Test(arguments: [
        ("Charging", "83", DeviceInfo.Battery.State.charging), ("Not charging", "83", .charging),
        ("Discharging", "83", .discharging), ("Discharging", "0", .empty), ("Full", "100", .full),
        ("Unknown", "83", .unknown),
    ])
    func `the kernel tells the battery`(status: String, percent: String, expected: DeviceInfo.Battery.State)
        async throws
    {
        let battery = ["type": "Battery", "capacity": percent, "status": status]
        let source = try device(["BAT0": battery])
        let level = try #require(Double(percent)) / 100
        #expect(
            try await source.read()
                == .device(
                    DeviceInfo(
                        model: "X1 Carbon", system: "Debian 12", battery: .init(level: level, state: expected))))
    }

    @Test func `a machine may have no battery, and those of devices do not count`() async throws {
        let source = try device([
            "AC": ["type": "Mains", "online": "1"], "BAT9": ["type": "Battery", "capacity": "much"],
            "mouse": ["type": "Battery", "scope": "Device", "capacity": "5", "status": "Discharging"],
        ])
        #expect(
            try await source.read() == .device(DeviceInfo(model: "X1 Carbon", system: "Debian 12", battery: nil)))
    }

    @Test func `two batteries are one`() throws {
        _ = try device([
            "BAT0": ["type": "Battery", "capacity": "80", "status": "Full"],
            "BAT1": ["type": "Battery", "capacity": "41", "status": "Discharging"],
        ])
        let both = try #require(DeviceInfo.Battery(supplies: folder.file("supplies")))
        #expect(both == .init(level: 0.605, state: .discharging) && both.isEmptied)
    }

    @Test(arguments: ContextSourceContract.checks)
    func contractOfTheDevice(_ check: ContractCheck<ContextSourceSubject>) async throws {
        let nowhere = "/nonexistent"
        try await check.run(
            ContextSourceSubject(
                device(),
                failing: [
                    "device": { DeviceContextSource(modelFile: nowhere, systemFile: nowhere, supplies: nowhere) }
                ]))
    }

    // MARK: logind

    @Test(arguments: [(false, 0.0, ActivityLevel.active), (true, 600, .idle), (true, 3_600, .away)])
    func `logind tells the activity`(isIdle: Bool, seconds: Double, expected: ActivityLevel) async throws {
        let bus = try PrivateBus()
        let since = Int((Self.now.timeIntervalSince1970 - seconds) * 1_000_000)
        try bus.mock(
            "logind", name: "org.freedesktop.login1",
            parameters: #"{"IdleHint": \#(isIdle), "IdleSinceHint": \#(since)}"#)
        let source = ActivityContextSource(bus: .address(bus.address), now: { Self.now })
        #expect(try await source.read() == .activity(expected))
        withExtendedLifetime(bus) {}
    }

    @Test(arguments: ContextSourceContract.checks)
    func contractOfTheActivity(_ check: ContractCheck<ContextSourceSubject>) async throws {
        let bus = try PrivateBus()
        try bus.mock("logind", name: "org.freedesktop.login1")
        let empty = try PrivateBus()
        try await check.run(
            ContextSourceSubject(
                ActivityContextSource(bus: .address(bus.address)),
                failing: ["device": { ActivityContextSource(bus: .address(empty.address)) }]))
        withExtendedLifetime((bus, empty)) {}
    }

    // MARK: GeoClue

    @Test(arguments: ["known", "later"]) func `GeoClue's place is rounded`(kind: String) async throws {
        let bus = try PrivateBus()
        let peer = try bus.peer(Self.geoClue, [kind])
        let source = LocationContextSource(bus: .address(bus.address), deadline: .seconds(240))
        #expect(try await source.read() == .location(#require(CoarseLocation(latitude: 52.5, longitude: 13.4))))
        // A city is asked for, and the client is stopped.
        #expect(peer.line() == "parley 4" && peer.line() == "stopped")
    }

    @Test(arguments: ["never", "nonsense", "refuses"]) func `a place that is not known is an error`(kind: String)
        async throws
    {
        let bus = try PrivateBus()
        try bus.peer(Self.geoClue, [kind])
        let source = LocationContextSource(bus: .address(bus.address), deadline: .milliseconds(200))
        let error = await #expect(throws: DomainError.self) { _ = try await source.read() }
        #expect(error?.code == "device")
    }

    @Test(arguments: ContextSourceContract.checks)
    func contractOfTheLocation(_ check: ContractCheck<ContextSourceSubject>) async throws {
        let bus = try PrivateBus()
        try bus.peer(Self.geoClue, ["known"])
        try await check.run(
            ContextSourceSubject(
                LocationContextSource(bus: .address(bus.address), deadline: .seconds(240)),
                failing: ["device": { LocationContextSource(bus: Self.nowhere) }]))
        withExtendedLifetime(bus) {}
    }

    /// GeoClue 2 (org.freedesktop.GeoClue2): one client for each connection.
    private static let geoClue = """
        import sys
        import dbus, dbus.service
        from dbus.mainloop.glib import DBusGMainLoop
        from gi.repository import GLib
        DBusGMainLoop(set_as_default=True)
        kind, bus, G = sys.argv[1], dbus.SystemBus(), "org.freedesktop.GeoClue2"
        P, clients = "org.freedesktop.DBus.Properties", {}

        class Location(dbus.service.Object):
            @dbus.service.method(P, in_signature="s", out_signature="a{sv}")
            def GetAll(self, interface):
                return {"Latitude": 9152.5163 if kind == "nonsense" else 52.5163, "Longitude": 13.3777}

        class Client(dbus.service.Object):
            place = "/place" if kind in ("known", "nonsense") else "/"
            wishes = {}
            @dbus.service.method(P, in_signature="ss", out_signature="v")
            def Get(self, interface, name): return dbus.ObjectPath(self.place)
            @dbus.service.method(P, in_signature="ssv")
            def Set(self, interface, name, value): self.wishes[name] = value
            @dbus.service.method(G + ".Client")
            def Start(self):
                if kind == "refuses":
                    raise dbus.DBusException("no", name="org.freedesktop.DBus.Error.AccessDenied")
                print(self.wishes["DesktopId"], self.wishes["RequestedAccuracyLevel"], flush=True)
                if kind == "later": GLib.timeout_add(50, self.found)
            def found(self):
                self.LocationUpdated(dbus.ObjectPath("/"), dbus.ObjectPath("/place"))
            @dbus.service.signal(G + ".Client", signature="oo")
            def LocationUpdated(self, old, new): pass
            @dbus.service.method(G + ".Client")
            def Stop(self): print("stopped", flush=True)

        class Manager(dbus.service.Object):
            @dbus.service.method(G + ".Manager", out_signature="o", sender_keyword="sender")
            def GetClient(self, sender):
                if sender not in clients: clients[sender] = Client(bus, f"/client/{len(clients)}")
                return dbus.ObjectPath(f"/client/{list(clients).index(sender)}")

        location, manager = Location(bus, "/place"), Manager(bus, "/org/freedesktop/GeoClue2/Manager")
        name = dbus.service.BusName(G, bus)
        print("ready", flush=True)
        GLib.MainLoop().run()
        """
}
