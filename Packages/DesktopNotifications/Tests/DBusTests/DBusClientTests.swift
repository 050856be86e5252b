// SPDX-License-Identifier: MIT

import DBus
import DBusTestSupport
import Glibc
import TestKit
import Testing

/// Calls to a real program on a real bus.
@Suite(.timeLimit(.minutes(5))) struct DBusClientTests {
    private let bus: PrivateBus
    private let client: DBusClient
    private let object = DBusObject(name: "org.example.Peer", path: "/org/example/Peer", interface: "org.example.Peer")

    init() throws {
        bus = try PrivateBus()
        try bus.peer(Self.script)
        client = DBusClient(.address(bus.address))
    }

    private func code(_ body: () async throws -> Void) async -> DBusError.Code? {
        do { try await body() } catch { return (error as? DBusError)?.code }
        return nil
    }

    @Test func `values of every type arrive`() async throws {
        let reply = try await client.call("Everything", of: object, [.string("héllo"), .uint32(7), .boolean(true)])
        #expect(
            reply == [
                .string("héllo"), .unsigned(7), .boolean(true), .double(0.5), .signed(-5), .signed(-70_000),
                .unsigned(255), .string("/a/b"), .list([.string("x"), .string("y")]),
                .dictionary(["n": .signed(1), "t": .list([.unsigned(2), .string("z")])]),
            ])
    }

    @Test func `a bus that says nothing is given up`() async throws {
        let folder = try TemporaryFolder()
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: folder.file("bus").utf8) }
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        // The system accepts the connection, and nobody reads from it.
        try #require(isBound == 0 && listen(socket, 4) == 0)
        let silent = DBusClient(.address("unix:path=\(folder.file("bus"))"))
        let object = object
        #expect(await code { try await silent.call("X", of: object) } == .noBus)
    }

    @Test func `properties are read and set`() async throws {
        #expect(try await client.property("Level", of: object) == .double(41.5))
        try await client.set("Level", of: object, to: .uint32(9))
        #expect(try await client.properties(of: object) == ["Level": .unsigned(9), "Name": .string("peer")])
    }

    @Test func `each failure has its code`() async throws {
        let (client, object, bus) = (client, object, bus)
        func other(_ name: String, _ path: String = "/org/example/Peer") -> DBusObject {
            DBusObject(name: name, path: path, interface: "org.example.Peer")
        }
        #expect(await code { try await client.call("X", of: other("org.example.Nobody")) } == .noService)
        #expect(await code { try await client.call("Missing", of: object) } == .noMember)
        #expect(await code { try await client.call("Refuse", of: object) } == .accessDenied)
        #expect(await code { try await client.call("Fail", of: object) } == .failed)
        #expect(await code { try await client.call("X", of: other("org.example.Peer", "no path")) } == .noMember)
        #expect(
            await code { try await client.call("Silent", of: object, deadline: .milliseconds(50)) } == .timedOut)
        for invalid in [
            other("org"), DBusObject(name: "org.example.Peer", path: "/", interface: "a b"),
            DBusObject(name: "", path: "/", interface: "org.example.Peer"),
        ] {
            #expect(await code { try await client.call("X", of: invalid) } == .noMember)
        }
        #expect(await code { try await client.call("a.b", of: object) } == .noMember)
        #expect(await code { try await client.call("Fail", of: object, deadline: .seconds(Int64.max)) } == .failed)
        // The connection is as good as before.
        #expect(try await client.property("Name", of: object) == .string("peer"))
        bus.stop()
        #expect(await code { while true { _ = try await client.property("Name", of: object) } } != nil)
        let nowhere = DBusClient(.address("unix:path=/nonexistent"))
        #expect(await code { try await nowhere.call("X", of: object) } == .noBus)
    }

    @Test func `signals of the object arrive, and no others`() async throws {
        let signals = try await client.signals("Changed", of: object)
        try await client.call("Emit", of: object)
        var iterator = signals.makeAsyncIterator()
        #expect(await iterator.next() == [.string("right")])
    }

    @Test func `signals end with the bus`() async throws {
        var signals = try await client.signals("Changed", of: object).makeAsyncIterator()
        bus.stop()
        #expect(await signals.next() == nil)
        #expect(await code { try await client.call("Emit", of: object) } == .noBus)
    }

    @Test func `signals end with the client`() async throws {
        var client: DBusClient? = DBusClient(.address(bus.address))
        var signals = try await #require(client).signals("Changed", of: object).makeAsyncIterator()
        client = nil
        #expect(await signals.next() == nil)
    }

    private static let script = """
        import dbus, dbus.lowlevel, dbus.service
        from dbus.mainloop.glib import DBusGMainLoop
        from gi.repository import GLib
        DBusGMainLoop(set_as_default=True)
        bus, other, I = dbus.SessionBus(), dbus.SessionBus(private=True), "org.example.Peer"
        P = "org.freedesktop.DBus.Properties"

        class Peer(dbus.service.Object):
            values = {"Level": dbus.Double(41.5), "Name": dbus.String("peer")}
            @dbus.service.method(I, in_signature="sub", out_signature="subdniyoasa{sv}")
            def Everything(self, text, number, flag):
                return (text, number, flag, 0.5, -5, -70000, 255, "/a/b", ["x", "y"],
                        {"n": dbus.Int32(1), "t": dbus.Struct((dbus.UInt16(2), "z"), signature="qs")})
            @dbus.service.method(I)
            def Refuse(self): raise dbus.DBusException("no", name="org.freedesktop.DBus.Error.AccessDenied")
            @dbus.service.method(I)
            def Fail(self): raise dbus.DBusException("no", name="org.example.Failed")
            @dbus.service.method(I, async_callbacks=("reply", "error"))
            def Silent(self, reply, error): self.kept = reply
            @dbus.service.method(P, in_signature="ss", out_signature="v")
            def Get(self, interface, name): return self.values[name]
            @dbus.service.method(P, in_signature="s", out_signature="a{sv}")
            def GetAll(self, interface): return self.values
            @dbus.service.method(P, in_signature="ssv")
            def Set(self, interface, name, value): self.values[name] = value
            @dbus.service.signal(I, signature="s")
            def Changed(self, text): pass
            @dbus.service.signal(I, signature="s")
            def Other(self, text): pass
            @dbus.service.method(I, sender_keyword="caller")
            def Emit(self, caller):
                forged = dbus.lowlevel.SignalMessage("/org/example/Peer", I, "Changed")
                forged.set_destination(caller)
                forged.append("forged")
                other.send_message(forged)
                other.name_has_owner(I)  # The bus has passed the signal on when this returns.
                self.Other("wrong")
                elsewhere.Changed("wrong")
                self.Changed("right")

        peer, elsewhere = Peer(bus, "/org/example/Peer"), Peer(bus, "/org/example/Elsewhere")
        name = dbus.service.BusName("org.example.Peer", bus)
        print("ready", flush=True)
        GLib.MainLoop().run()
        """
}
