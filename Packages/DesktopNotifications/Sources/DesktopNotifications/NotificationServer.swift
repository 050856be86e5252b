// SPDX-License-Identifier: MIT

internal import CGIO
import CGIOCalls
import DBus

/// A connection to the notification server. Every call blocks, for at most two seconds.
final class NotificationServer {
    private static let timeout: Int32 = 2000
    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    private static let object = BusConnection.Object(name: name, path: path, interface: name)

    private let connection: OpaquePointer
    private var showsMarkup: Bool?
    private var choosing: BusFilter<UInt32>?
    /// The ids that it gave. After a restart of the bus, those of before may be another program's.
    private var shown: Set<UInt32> = []

    init(address: String) throws(DesktopNotificationError) {
        if let reason = cgio_load() {
            throw DesktopNotificationError(code: .libraryMissing, message: String(cString: reason))
        }
        switch BusConnection.connect(to: address, timeout: Self.timeout) {
        case .success(let connection): self.connection = connection
        case .failure(let error):
            throw DesktopNotificationError(
                code: .noSessionBus,
                message: "The session bus cannot be reached: \(error.reason). Log in to the desktop again.")
        }
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(connection)) }

    /// True once the connection to the bus is closed.
    var isClosed: Bool { g_dbus_connection_is_closed(connection) != 0 }

    func show(
        _ notification: DesktopNotification, by application: String, entry: String?, replacing replaced: UInt32?
    ) throws(DesktopNotificationError) -> UInt32 {
        let body = try takesMarkup() ? Self.withoutMarkup(notification.body) : notification.body
        let replaced = replaced.map { shown.contains($0) ? $0 : 0 } ?? 0
        let arguments = cgio_notify_arguments(
            Self.clean(application), replaced, "", Self.clean(notification.title), Self.clean(body),
            notification.action.map(Self.clean), notification.urgency.rawValue, entry, -1)
        let reply = try call("Notify", arguments, reply: "(u)")
        defer { g_variant_unref(reply) }
        let number = cgio_number(reply)
        shown.insert(number)
        return number
    }

    func close(_ number: UInt32) throws(DesktopNotificationError) {
        guard shown.contains(number) else { return }
        var value = g_variant_new_uint32(number)
        let arguments = g_variant_new_tuple(&value, 1)
        g_variant_unref(try call("CloseNotification", arguments, reply: nil))
        shown.remove(number)
    }

    /// The ids of notifications that a person answers; an earlier call's stream ends.
    func choices() throws(DesktopNotificationError) -> AsyncStream<UInt32> {
        // Some servers address their signals to the program whose notification it was.
        let choosing = BusFilter(connection) { message -> UInt32? in
            let number = cgio_chosen(message)
            return number > 0 ? number : nil
        }
        let rule = g_variant_new_string(
            "type='signal',sender='\(Self.name)',path='\(Self.path)',interface='\(Self.name)'")
        var value = rule
        g_variant_unref(try call("AddMatch", g_variant_new_tuple(&value, 1), reply: nil, of: BusConnection.driver))
        self.choosing = choosing
        return choosing.stream
    }

    /// True if the server interprets markup in bodies, so that plain text must be escaped.
    private func takesMarkup() throws(DesktopNotificationError) -> Bool {
        if let showsMarkup { return showsMarkup }
        let reply = try call("GetCapabilities", nil, reply: "(as)")
        defer { g_variant_unref(reply) }
        let answer = cgio_has_string(reply, "body-markup") != 0
        showsMarkup = answer
        return answer
    }

    private func call(
        _ method: String, _ arguments: OpaquePointer?, reply type: String?,
        of object: BusConnection.Object = NotificationServer.object
    ) throws(DesktopNotificationError) -> OpaquePointer {
        var error: UnsafeMutablePointer<GError>?
        let wanted = type.map { g_variant_type_new($0) }
        defer { if let wanted { g_variant_type_free(wanted) } }
        guard
            let reply = g_dbus_connection_call_sync(
                connection, object.name, object.path, object.interface, method, arguments, wanted ?? nil,
                UInt32(CGIO_CALL_FLAGS_NONE), Self.timeout, nil, &error)
        else {
            throw DesktopNotificationError(
                code: .noServer,
                message: "Nothing on this desktop shows notifications: \(Self.text(of: error)). Install a notification "
                    + "daemon, for example dunst.")
        }
        return reply
    }

    /// The text as XML without any tag.
    static func withoutMarkup(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }

    /// The text without NUL, which ends a C string.
    private static func clean(_ text: String) -> String { text.filter { $0 != "\0" } }

    private static func text(of error: UnsafeMutablePointer<GError>?) -> String {
        guard let error else { return "no reason was given" }
        defer { g_error_free(error) }
        return String(cString: error.pointee.message)
    }
}
