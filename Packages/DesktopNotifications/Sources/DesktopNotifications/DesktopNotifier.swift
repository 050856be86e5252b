// SPDX-License-Identifier: MIT

import Concurrency
import DBus

/// Shows notifications on the desktop of this session, over D-Bus.
///
/// Connects with the first one, and again after the bus was restarted. Every call blocks for at most two seconds, on a
/// queue of the actor's own.
public actor DesktopNotifier {
    private nonisolated let executor = QueueExecutor(label: "desktop-notifications")
    private let application: String
    private let desktopEntry: String?
    private let address: String?
    private var connection: NotificationServer?

    /// See `Actor`.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Makes a notifier without a connection.
    ///
    /// - Parameters:
    ///   - application: The name that the desktop shows.
    ///   - desktopEntry: The name of the program's `.desktop` file without the ending, for its icon and settings.
    ///   - address: The bus; the session's (`DBUS_SESSION_BUS_ADDRESS`, else `$XDG_RUNTIME_DIR/bus`) if nil.
    public init(application: String, desktopEntry: String? = nil, address: String? = nil) {
        self.application = application
        self.desktopEntry = desktopEntry
        self.address = address ?? SessionBus.address
    }

    /// Shows a notification and returns its id.
    ///
    /// - Parameter replaced: The id of an earlier one of this notifier, which is removed if it is still shown.
    /// - Throws: ``DesktopNotificationError``.
    @discardableResult
    public func show(
        _ notification: DesktopNotification, replacing replaced: UInt32? = nil
    ) throws(DesktopNotificationError) -> UInt32 {
        try call { server throws(DesktopNotificationError) in
            try server.show(notification, by: application, entry: desktopEntry, replacing: replaced)
        }
    }

    /// Removes a notification of this notifier; a missing one is no error.
    public func close(_ number: UInt32) throws(DesktopNotificationError) {
        try call { server throws(DesktopNotificationError) in try server.close(number) }
    }

    /// The ids of notifications whose button a person presses, or which a person dismisses, from now on.
    ///
    /// It ends with the connection, and keeps the newest eight until they are read.
    ///
    /// - Throws: ``DesktopNotificationError``.
    public func choices() throws(DesktopNotificationError) -> AsyncStream<UInt32> {
        try call { server throws(DesktopNotificationError) in try server.choices() }
    }

    /// Calls the server, by a new connection if the bus was restarted.
    private func call<Value>(
        _ body: (NotificationServer) throws(DesktopNotificationError) -> Value
    ) throws(DesktopNotificationError) -> Value {
        if let connection {
            do throws(DesktopNotificationError) { return try body(connection) } catch {
                guard connection.isClosed else { throw error }
            }
            self.connection = nil
        }
        guard let address else { throw DesktopNotificationError.noBus }
        let made = try NotificationServer(address: address)
        connection = made
        return try body(made)
    }
}
