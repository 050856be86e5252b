// SPDX-License-Identifier: MIT

internal import CGIO
import CGIOCalls
import Concurrency
internal import Glibc

/// A bus.
public enum DBusBus: Sendable, Hashable {
    /// The machine's (`DBUS_SYSTEM_BUS_ADDRESS`, else its usual place).
    case system
    /// The desktop session's (`DBUS_SESSION_BUS_ADDRESS`, else `$XDG_RUNTIME_DIR/bus`).
    case session
    /// One at an address (D-Bus Specification, server addresses).
    case address(String)

    var address: String? {
        switch self {
        case .system:
            getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? "unix:path=/run/dbus/system_bus_socket"
        case .session: SessionBus.address
        case .address(let address): address
        }
    }
}

/// An object of a program on a bus.
public struct DBusObject: Sendable, Hashable {
    /// The program's name, such as "org.freedesktop.UPower".
    public let name: String
    /// The object's path, which begins with a slash.
    public let path: String
    /// The interface, such as "org.freedesktop.UPower.Device".
    public let interface: String

    /// An object.
    public init(name: String, path: String, interface: String) {
        (self.name, self.path, self.interface) = (name, path, interface)
    }

    fileprivate func with(interface: String) -> DBusObject { DBusObject(name: name, path: path, interface: interface) }
}

/// Calls the programs on a bus.
///
/// It connects with the first call, and again after the bus was restarted; GIO is loaded then, too. Calls block a queue of its
/// own, one after the other, each until its deadline at most.
public actor DBusClient {
    private nonisolated let executor = QueueExecutor(label: "dbus")
    private let bus: DBusBus
    private var connected: BusConnection?

    /// See `Actor`.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The deadline of a call by default.
    public static let deadline = Duration.seconds(2)

    /// A client without a connection.
    public init(_ bus: DBusBus) { self.bus = bus }

    /// Calls a method and returns the values of its reply. The bus may start the program.
    ///
    /// - Parameter deadline: The longest wait for the reply, at least a millisecond.
    /// - Throws: ``DBusError``.
    @discardableResult
    public func call(
        _ method: String, of object: DBusObject, _ arguments: [DBusValue.Argument] = [],
        deadline: Duration = DBusClient.deadline
    ) throws(DBusError) -> [DBusValue] {
        let connection = try connection()
        guard g_variant_is_object_path(object.path) != 0 else {
            throw DBusError(.noMember, "\(object.path) is no path of an object.")
        }
        // GLib would refuse them with a message of its own, and no error.
        guard g_dbus_is_name(object.name) != 0, g_dbus_is_interface_name(object.interface) != 0,
            g_dbus_is_member_name(method) != 0
        else { throw DBusError(.noMember, "\(object.name), \(object.interface).\(method) is no method's name.") }
        var values = arguments.map(\.variant)
        var error: UnsafeMutablePointer<GError>?
        let milliseconds = Int32(max(1, min((deadline / .milliseconds(1)).rounded(.up), Double(Int32.max))))
        guard
            let reply = g_dbus_connection_call_sync(
                connection.connection, object.name, object.path, object.interface, method,
                g_variant_new_tuple(&values, values.count), nil, UInt32(CGIO_CALL_FLAGS_NONE), milliseconds, nil, &error
            )
        else { throw DBusError(error, of: "\(object.interface).\(method)") }
        defer { g_variant_unref(reply) }
        return DBusValue.children(of: reply)
    }

    /// Reads a property.
    public func property(
        _ name: String, of object: DBusObject, deadline: Duration = DBusClient.deadline
    ) throws(DBusError) -> DBusValue {
        let values = try call(
            "Get", of: object.with(interface: Self.properties), [.string(object.interface), .string(name)],
            deadline: deadline)
        return values.first ?? .unknown
    }

    /// Reads all properties of the object's interface.
    public func properties(
        of object: DBusObject, deadline: Duration = DBusClient.deadline
    ) throws(DBusError) -> [String: DBusValue] {
        let values = try call(
            "GetAll", of: object.with(interface: Self.properties), [.string(object.interface)], deadline: deadline)
        guard case .dictionary(let properties)? = values.first else { return [:] }
        return properties
    }

    /// Sets a property.
    public func set(
        _ name: String, of object: DBusObject, to value: DBusValue.Argument, deadline: Duration = DBusClient.deadline
    ) throws(DBusError) {
        try call(
            "Set", of: object.with(interface: Self.properties),
            [.string(object.interface), .string(name), .variant(value)], deadline: deadline)
    }

    /// The values of each signal of that name from the object, from now on. The newest eight wait until they are read; the
    /// stream ends with the connection, and with the client.
    public func signals(_ member: String, of object: DBusObject) throws(DBusError) -> AsyncStream<[DBusValue]> {
        let connection = try connection()
        let filter = BusFilter(connection.connection) { message -> [DBusValue]? in
            guard cgio_is_signal(message, object.path, member) != 0 else { return nil }
            return g_dbus_message_get_body(message).map(DBusValue.children) ?? []
        }
        let rule =
            "type='signal',sender='\(object.name)',path='\(object.path)',interface='\(object.interface)',"
            + "member='\(member)'"
        let driver = DBusObject(
            name: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")
        try call("AddMatch", of: driver, [.string(rule)])
        filters.append(filter)
        return filter.stream
    }

    private var filters: [BusFilter<[DBusValue]>] = []
    private static let properties = "org.freedesktop.DBus.Properties"

    private func connection() throws(DBusError) -> BusConnection {
        if let connected, !connected.isClosed { return connected }
        filters = []
        if let reason = cgio_load() { throw DBusError(.libraryMissing, String(cString: reason)) }
        guard let address = bus.address, let made = BusConnection(address: address) else {
            throw DBusError(
                .noBus,
                bus == .session
                    ? "There is no session bus. Start the program in a desktop session."
                    : "The system bus cannot be reached. Start it: systemctl start dbus.")
        }
        connected = made
        return made
    }
}
