// SPDX-License-Identifier: MIT

/// What a notification says (Desktop Notifications Specification 1.2).
public struct DesktopNotification: Sendable, Hashable {
    /// How much it matters, which the desktop may show by colour, sound, or by keeping it.
    public enum Urgency: UInt8, Sendable, Hashable, CaseIterable {
        case low = 0
        case normal = 1
        case critical = 2
    }

    /// One line.
    public var title: String
    /// What more there is to say; shown as it is, never as markup.
    public var body: String
    /// How much it matters.
    public var urgency: Urgency

    /// Makes a notification of normal urgency unless given.
    public init(title: String, body: String = "", urgency: Urgency = .normal) {
        self.title = title
        self.body = body
        self.urgency = urgency
    }
}

/// Why a notification is not shown.
public struct DesktopNotificationError: Error, Sendable, CustomStringConvertible {
    /// What kind of fault it is; more may come.
    public enum Code: String, Sendable, Hashable {
        /// There is no session bus: no desktop, a service outside of a session, or `DBUS_SESSION_BUS_ADDRESS` not set.
        case noSessionBus
        /// The bus is there, but nothing on it shows notifications, or it does not answer.
        case noServer
        /// GIO is not installed; the message names its package.
        case libraryMissing
    }

    /// What kind of fault it is.
    public let code: Code
    /// What happened and what to do, for a person.
    public let message: String

    /// The message.
    public var description: String { message }
}
