// SPDX-License-Identifier: MIT

import FoundationEssentials

extension FileTransferClient {
    /// A server of SFTP, its user, and the time limits.
    public struct Configuration: Sendable {
        /// The proof that the caller is the user.
        public enum Credential: Sendable {
            /// A password.
            case password(String)
            /// A file with a private key, as `ssh-keygen` makes it, and its passphrase if it has one.
            case privateKey(path: String, passphrase: String? = nil)
            /// The keys of the agent at `SSH_AUTH_SOCK`.
            case agent
        }

        /// The server's name or address.
        public var host: String
        /// The server's port.
        public var port: Int
        /// The user's name at the server.
        public var user: String
        /// The proof. No error has a password or a passphrase.
        public var credential: Credential
        /// The keys of known servers, in the format of sshd(8).
        public var knownHostsFile: String
        /// The time limit of a connection: name, TCP, SSH and the user's proof.
        public var connectTimeout: Duration = .seconds(15)
        /// The longest time without a byte in either direction; nil waits for ever.
        public var idleTimeout: Duration? = .seconds(30)

        /// A server.
        ///
        /// - Parameter knownHostsFile: Nil for the user's own, `~/.ssh/known_hosts`.
        public init(
            host: String, port: Int = 22, user: String, credential: Credential, knownHostsFile: String? = nil
        ) {
            self.host = host
            self.port = port
            self.user = user
            self.credential = credential
            self.knownHostsFile =
                knownHostsFile ?? FileManager.default.homeDirectoryForCurrentUser.path + "/.ssh/known_hosts"
        }
    }
}

/// A name in a folder of a server.
public struct RemoteFile: Sendable, Hashable {
    /// The kind of a name.
    public enum Kind: Sendable, Hashable {
        /// An ordinary file.
        case file
        /// A folder.
        case folder
        /// A link, a pipe or a device.
        case other
    }

    /// The name in the folder. A link's name has its target after ` -> `.
    public let name: String
    /// The kind.
    public let kind: Kind
    /// The size in bytes.
    public let size: Int

    /// A name.
    public init(name: String, kind: Kind, size: Int) {
        self.name = name
        self.kind = kind
        self.size = size
    }
}
