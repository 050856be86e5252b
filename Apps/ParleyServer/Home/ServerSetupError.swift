// SPDX-License-Identifier: MIT

import Glibc

/// Why a server cannot use its home.
public enum ServerSetupError: Error, Equatable, CustomStringConvertible {
    /// Somebody deleted the root key just after it was made.
    case rootKeyVanished
    /// Another process has locked this home.
    case homeInUse(String)
    /// The home cannot be made or locked; the system's error number.
    case homeUnusable(String, Int32)

    /// The reason, and what to do.
    public var description: String {
        switch self {
        case .rootKeyVanished: "The server's root key was deleted while it started. Start it again."
        case .homeInUse(let home): "Another parley-server uses \(home). Stop it, or give another --home."
        case .homeUnusable(let home, let cause):
            "\(home) cannot be used: \(String(cString: strerror(cause))). Check the folder's owner and permissions."
        }
    }
}
