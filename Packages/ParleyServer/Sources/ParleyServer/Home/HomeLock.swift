// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Glibc

/// The right to change a server's home; one process has it at a time (flock(2)). It ends with ``release()`` or with the
/// process, even after a crash. The file `lock` stays, since removing it would let two processes lock two files.
final class HomeLock: Sendable {
    /// The open file; -1 once it is released.
    private let descriptor: Guarded<Int32>

    /// Takes the lock without waiting.
    ///
    /// - Parameter home: A folder that exists.
    /// - Throws: ``ServerSetupError``.
    init(_ home: String) throws(ServerSetupError) {
        let opened = open(home + "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { throw .homeUnusable(home, errno) }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let cause = errno
            close(opened)
            throw cause == EWOULDBLOCK ? .homeInUse(home) : .homeUnusable(home, cause)
        }
        descriptor = Guarded(opened)
    }

    deinit { release() }

    /// Lets another process have the home. Calling it again does nothing.
    func release() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }
}

/// The reason why a server cannot use its home.
public enum ServerSetupError: Error, Equatable, CustomStringConvertible {
    /// The root key was deleted just after it was made.
    case rootKeyVanished
    /// The database's signing keys were sealed by another root key.
    case otherRootKey
    /// Workers and several instances need a database that they can share.
    case noSharedDatabase
    /// Another process has locked this home.
    case homeInUse(String)
    /// The administration is to be on the operator's listener, and there is none.
    case noOperatorListener
    /// The folder holds no server's data, or no keys.
    case noHome(String)
    /// The home cannot be made or locked; the system's error number.
    case homeUnusable(String, Int32)

    /// The reason and the remedy.
    public var description: String {
        switch self {
        case .rootKeyVanished: "The server's root key was deleted while it started. Start it again."
        case .otherRootKey:
            "The root key is not the one that sealed the database's keys. Give all instances the same --key-file."
        case .noSharedDatabase: "This needs a database that processes can share. Give --database postgres://…"
        case .homeInUse(let home): "Another parley-server uses \(home). Stop it, or give another --home."
        case .noOperatorListener: "The administration needs the operator's listener. Give --metrics-port N."
        case .noHome(let home): "\(home) is no server's home, with its data and keys. Give the server's --home."
        case .homeUnusable(let home, let cause):
            "\(home) cannot be used: \(String(cString: strerror(cause))). Check the folder's owner and permissions."
        }
    }
}
