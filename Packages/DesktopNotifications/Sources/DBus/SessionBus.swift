// SPDX-License-Identifier: MIT

internal import Glibc

/// The address of the session's bus. GLib's own look-up may start a bus if there is none, which a program without a
/// desktop must not do.
package enum SessionBus {
    /// The address; nil without a bus.
    package static var address: String? {
        if let set = getenv("DBUS_SESSION_BUS_ADDRESS") { return String(cString: set) }
        guard let folder = getenv("XDG_RUNTIME_DIR") else { return nil }
        let socket = String(cString: folder) + "/bus"
        return access(socket, R_OK | W_OK) == 0 ? "unix:path=" + escaped(socket) : nil
    }

    /// A path in the form of an address (D-Bus Specification, server addresses): all unusual bytes as %XX.
    package static func escaped(_ path: String) -> String {
        var result = ""
        for byte in path.utf8 {
            let scalar = Unicode.Scalar(byte)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "/", ".": result.unicodeScalars.append(scalar)
            default:
                let digits = String(byte, radix: 16)
                result += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return result
    }
}
