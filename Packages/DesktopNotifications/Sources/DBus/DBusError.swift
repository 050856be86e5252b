// SPDX-License-Identifier: MIT

internal import CGIO

/// The error of a call over D-Bus.
public struct DBusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; more may be added.
    public enum Code: String, Sendable, Hashable {
        /// There is no such bus, or it cannot be reached.
        case noBus
        /// GIO is not installed; the message names its package.
        case libraryMissing
        /// No program has that name on the bus, and none can be started.
        case noService
        /// The program has no such object, interface, method or property, or takes other arguments.
        case noMember
        /// The program or the bus refuses the call.
        case accessDenied
        /// The program has not answered in time.
        case timedOut
        /// Any other error of the program.
        case failed
    }

    /// The kind of failure.
    public let code: Code
    /// The reason, for a person.
    public let message: String

    /// The message.
    public var description: String { message }

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    /// Reads and frees GLib's error.
    init(_ error: UnsafeMutablePointer<GError>?, of member: String) {
        guard let error else {
            self.init(.failed, "\(member) failed, without a reason.")
            return
        }
        defer { g_error_free(error) }
        var name = ""
        if let remote = g_dbus_error_get_remote_error(error) {
            name = String(cString: remote)
            g_free(remote)
        }
        let code: Code = cgio_is_timeout(error) != 0 ? .timedOut : Self.codes[name] ?? .failed
        self.init(code, "\(member): \(String(cString: error.pointee.message))")
    }

    private static let codes: [String: Code] = {
        let prefix = "org.freedesktop.DBus.Error."
        let codes: [String: Code] = [
            "ServiceUnknown": .noService, "NameHasNoOwner": .noService, "Disconnected": .noBus,
            "UnknownMethod": .noMember, "UnknownInterface": .noMember, "UnknownObject": .noMember,
            "UnknownProperty": .noMember, "InvalidArgs": .noMember, "AccessDenied": .accessDenied,
            "AuthFailed": .accessDenied, "NoReply": .timedOut, "Timeout": .timedOut, "TimedOut": .timedOut,
        ]
        return Dictionary(uniqueKeysWithValues: codes.map { (prefix + $0.key, $0.value) })
    }()
}
