// SPDX-License-Identifier: MIT

internal import CGIO
internal import CGIOCalls
internal import Dispatch

/// A separate connection to a message bus, for calls with strings.
///
/// SAFETY: GDBusConnection is safe to use from any thread (GIO reference), and the pointer never changes.
package final class BusConnection: @unchecked Sendable {
    /// An object with the interface to call.
    package struct Object {
        package let name: String
        package let path: String
        package let interface: String

        /// An object of a program on the bus.
        package init(name: String, path: String, interface: String) {
            (self.name, self.path, self.interface) = (name, path, interface)
        }
    }

    /// A call that failed.
    package struct Failure: Error {
        /// True if the other side has not answered in time.
        package let isTimeout: Bool
    }

    /// A reply's strings.
    package struct Reply {
        package let strings: [String]
    }

    /// The bus itself.
    package static let driver = Object(
        name: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")

    package let connection: OpaquePointer
    private let timeout: Int32

    /// Connects; nil if there is no bus at the address, or it does not answer, or GIO is not installed.
    ///
    /// - Parameter timeout: The longest wait for the connection, and for a reply, in milliseconds.
    package init?(address: String, timeout: Int32 = 500) {
        guard cgio_load() == nil else { return nil }
        switch Self.connect(to: address, timeout: timeout) {
        case .success(let connection): (self.connection, self.timeout) = (connection, timeout)
        case .failure: return nil
        }
    }

    /// The reason why there is no connection, in the library's words.
    package struct NoConnection: Error {
        package let reason: String
    }

    /// Connects, with GIO loaded; the caller owns the connection.
    ///
    /// - Parameter timeout: The longest wait, in milliseconds: a bus may accept the connection and say nothing.
    package static func connect(to address: String, timeout: Int32) -> Result<OpaquePointer, NoConnection> {
        let cancellation = Cancellation()
        let timer = DispatchWorkItem { cancellation.cancel() }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(timeout)), execute: timer)
        defer { timer.cancel() }
        var error: UnsafeMutablePointer<GError>?
        if let connection = cgio_connect(address, cancellation.object, &error) { return .success(connection) }
        defer { g_error_free(error) }
        return .failure(NoConnection(reason: error.map { String(cString: $0.pointee.message) } ?? ""))
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(connection)) }

    /// True once the bus has gone.
    package var isClosed: Bool { g_dbus_connection_is_closed(connection) != 0 }

    /// Ends a call that blocks a thread.
    ///
    /// SAFETY: GCancellable may be cancelled by any thread (GIO reference), and the pointer never changes.
    private final class Cancellation: @unchecked Sendable {
        let object = g_cancellable_new()

        func cancel() { g_cancellable_cancel(object) }

        deinit { g_object_unref(object.map { UnsafeMutableRawPointer($0) }) }
    }

    /// Calls a method; nil if the call fails.
    package func ask(_ object: Object, _ method: String, _ arguments: [String], reply type: String) -> Reply? {
        try? call(object, method, arguments, reply: type).get()
    }

    /// Calls a method of a running program; the bus starts none.
    package func call(
        _ object: Object, _ method: String, _ arguments: [String], reply type: String?
    ) -> Result<Reply, Failure> {
        var values = arguments.map { g_variant_new_string($0) }
        let wanted = type.map { g_variant_type_new($0) }
        defer { if let wanted { g_variant_type_free(wanted) } }
        var error: UnsafeMutablePointer<GError>?
        let reply = g_dbus_connection_call_sync(
            connection, object.name, object.path, object.interface, method,
            g_variant_new_tuple(&values, values.count), wanted ?? nil,
            UInt32(CGIO_CALL_FLAGS_NO_AUTO_START), timeout, nil, &error)
        guard let reply else {
            defer { g_error_free(error) }
            return .failure(Failure(isTimeout: cgio_is_timeout(error) != 0))
        }
        defer { g_variant_unref(reply) }
        return .success(Reply(strings: Self.strings(in: reply)))
    }

    /// The strings in a value of any type.
    static func strings(in value: OpaquePointer) -> [String] {
        if g_variant_is_container(value) == 0 {
            guard g_variant_classify(value) == UInt32(CGIO_CLASS_STRING) else { return [] }
            return [String(cString: g_variant_get_string(value, nil))]
        }
        return (0..<g_variant_n_children(value)).flatMap { index -> [String] in
            guard let child = g_variant_get_child_value(value, index) else { return [] }
            defer { g_variant_unref(child) }
            return strings(in: child)
        }
    }
}
