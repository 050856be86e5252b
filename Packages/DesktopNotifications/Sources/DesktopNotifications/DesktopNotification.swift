// SPDX-License-Identifier: MIT

/// The content of a notification (Desktop Notifications Specification 1.2).
public struct DesktopNotification: Sendable, Hashable {
    /// The urgency, which the desktop may show by colour, sound, or by keeping the notification.
    public enum Urgency: UInt8, Sendable, Hashable, CaseIterable {
        case low = 0
        case normal = 1
        case critical = 2
    }

    /// The title, one line.
    public var title: String
    /// The text below the title; shown as plain text, never as markup.
    public var body: String
    /// The urgency.
    public var urgency: Urgency
    /// The text of a button; nil for none. Not every desktop shows one. See ``DesktopNotifier/choices()``.
    public var action: String?

    /// Makes a notification of normal urgency unless given.
    public init(title: String, body: String = "", urgency: Urgency = .normal, action: String? = nil) {
        self.title = title
        self.body = body
        self.urgency = urgency
        self.action = action
    }
}

/// The error of a notification that is not shown.
public struct DesktopNotificationError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; more may be added.
    public enum Code: String, Sendable, Hashable {
        /// There is no session bus: no desktop, a service outside of a session, or `DBUS_SESSION_BUS_ADDRESS` is not
        /// set.
        case noSessionBus
        /// The bus exists, but has no notification server, or the server does not answer.
        case noServer
        /// GIO is not installed; the message names its package.
        case libraryMissing
    }

    /// The kind of failure.
    public let code: Code
    /// The failure and its remedy, for a person.
    public let message: String

    /// The message.
    public var description: String { message }

    static let noBus = DesktopNotificationError(
        code: .noSessionBus,
        message:
            "There is no session bus, so nothing can be shown on a desktop. Start the program in a desktop session.")
}
