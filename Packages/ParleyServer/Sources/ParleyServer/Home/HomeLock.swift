// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Glibc

/// The right to work in a server's home (flock(2)). It ends with ``release()`` or with the process, even after a crash. The
/// files stay, since removing one would let two processes lock two files.
final class HomeLock: Sendable {
    /// The names of the files of locks.
    static let names: Set<String> = [serverFile, commandsFile, keysFile]
    private static let serverFile = "lock"
    private static let commandsFile = "commands.lock"
    private static let keysFile = "keys.lock"

    /// The work that the lock is for.
    enum Use: Sendable {
        /// A server, one at a time. Commands may work beside it.
        case server
        /// A command that reads and writes rows beside a server and other commands, each of which SQLite lets write in turn.
        case command
        /// A command that changes keys, of which each is stored with those before it: one at a time.
        case keys
        /// A command that replaces files or needs rows that rest: neither a server nor another command may be there.
        case whole
    }

    /// The open files; empty once they are released.
    private let descriptors: Guarded<[Int32]>

    /// Takes the lock without waiting.
    ///
    /// - Parameter home: A folder that exists.
    /// - Throws: ``ServerSetupError``.
    init(_ home: String, for use: Use = .server) throws(ServerSetupError) {
        var taken: [Int32] = []
        do throws(ServerSetupError) {
            if use == .server || use == .whole {
                taken.append(try Self.lock(home, Self.serverFile, LOCK_EX, .homeInUse(home)))
            }
            switch use {
            case .server: break
            case .command: taken.append(try Self.lock(home, Self.commandsFile, LOCK_SH, .homeMoves(home)))
            case .keys:
                taken.append(try Self.lock(home, Self.commandsFile, LOCK_SH, .homeMoves(home)))
                taken.append(try Self.lock(home, Self.keysFile, LOCK_EX, .homeHasCommand(home)))
            case .whole: taken.append(try Self.lock(home, Self.commandsFile, LOCK_EX, .homeHasCommand(home)))
            }
        } catch {
            Self.unlock(taken)
            throw error
        }
        descriptors = Guarded(taken)
    }

    deinit { release() }

    /// Lets another process have the home. Calling it again does nothing.
    func release() {
        descriptors.withLock { descriptors in
            Self.unlock(descriptors)
            descriptors = []
        }
    }

    /// A process that this one has just forked has the open files, too, until it runs its own program, so closing them is not
    /// enough.
    private static func unlock(_ descriptors: [Int32]) {
        for descriptor in descriptors {
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
    }

    private static func lock(
        _ home: String, _ name: String, _ operation: Int32, _ taken: ServerSetupError
    ) throws(ServerSetupError) -> Int32 {
        let opened = open("\(home)/\(name)", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { throw .homeUnusable(home, errno) }
        guard flock(opened, operation | LOCK_NB) == 0 else {
            let cause = errno
            close(opened)
            throw cause == EWOULDBLOCK ? taken : .homeUnusable(home, cause)
        }
        return opened
    }
}

/// The reason why a server cannot use its home.
public enum ServerSetupError: Error, Equatable, CustomStringConvertible {
    /// The root key was deleted just after it was made.
    case rootKeyVanished
    /// The database's signing keys were sealed by another root key.
    case otherRootKey
    /// The key file lacks the root key with this id, which is in use or will be.
    case lacksRootKey(String)
    /// The key file lacks the root key with this id, which sessions and waiting messages still need.
    case needsRootKey(String, sessions: Int, messages: Int)
    /// Workers and several instances need a database that they can share.
    case noSharedDatabase
    /// Another process has locked this home.
    case homeInUse(String)
    /// A transfer or a restoration has this home.
    case homeMoves(String)
    /// An operator's command works in this home, which has to rest.
    case homeHasCommand(String)
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
        case .lacksRootKey(let id):
            """
            The key file lacks the root key \(id), which is in use or will be. Put it back, from another instance or \
            from the copy that you keep.
            """
        case .needsRootKey(let id, let sessions, let messages):
            """
            The key file lacks the root key \(id), which is still needed (sessions: \(sessions), waiting messages: \
            \(messages)). Put it back. If it must not be accepted any more, restart the server.
            """
        case .noSharedDatabase: "This needs a database that processes can share. Give --database postgres://…"
        case .homeInUse(let home): "Another parley-server uses \(home). Stop it, or give another --home."
        case .homeMoves(let home): "A transfer or a restoration uses \(home). Wait until it has ended."
        case .homeHasCommand(let home): "Another parley-server command uses \(home). Wait until it has ended."
        case .noOperatorListener: "The administration needs the operator's listener. Give --metrics-port N."
        case .noHome(let home): "\(home) is no server's home, with its data and keys. Give the server's --home."
        case .homeUnusable(let home, let cause):
            "\(home) cannot be used: \(String(cString: strerror(cause))). Check the folder's owner and permissions."
        }
    }
}
