// SPDX-License-Identifier: MIT

public import Concurrency

/// The address of a database, and the limits of its use.
///
/// A password is never a part of a description, a log line or an error.
public struct PostgresConfiguration: Sendable, CustomStringConvertible, CustomReflectable {
    /// A server's address.
    public struct Host: Sendable, Hashable {
        /// The host's name or address, or the folder of a Unix socket, which starts with a slash.
        public var name: String
        /// The port; it is a part of a Unix socket's name, too.
        public var port: Int

        /// An address.
        public init(_ name: String, port: Int = 5432) { (self.name, self.port) = (name, port) }

        /// True for a Unix socket.
        public var isSocket: Bool { name.hasPrefix("/") }
    }

    /// The encryption of connections over TCP. Unix sockets have none.
    public enum TLS: String, Sendable, CaseIterable {
        /// The certificate is trusted and names the host. The default.
        case verifyFull = "verify-full"
        /// The certificate is trusted; it may name another host.
        case verifyCA = "verify-ca"
        /// Encrypted, and anybody can pretend to be the server.
        case unverified = "require"
        /// Not encrypted.
        case disabled = "disable"
    }

    /// The kind of server that is wanted of several hosts.
    public enum Target: String, Sendable, CaseIterable {
        /// The first that answers.
        case any
        /// The first that takes writes, which is the primary.
        case readWrite = "read-write"
    }

    /// The servers, which are tried in order; at least one.
    public var hosts: [Host]
    /// The database's name.
    public var database: String
    /// The user; nil for the name of the process's user.
    public var user: String?
    /// The password; nil for the one in the password file, if it is needed.
    public var password: String?
    /// The password file (libpq's `.pgpass`); nil for `$PGPASSFILE` or `~/.pgpass`.
    public var passwordFile: String?
    /// The encryption of connections over TCP.
    public var tls = TLS.verifyFull
    /// The file of certificates that are trusted; nil for the system's.
    public var trustedCertificates: String?
    /// The kind of server that is wanted.
    public var target = Target.any
    /// The program's name in the server's list of connections.
    public var applicationName = "parley"
    /// The number of connections, at least 1.
    public var maximumConnections = 8
    /// The longest wait for a connection.
    public var acquireTimeout = Duration.seconds(10)
    /// The age after which a connection is replaced.
    public var maximumAge = Duration.seconds(1_800)
    /// The longest time to establish a connection to one address; the next one of the host, or of the next host, has the
    /// same time.
    public var connectTimeout = Duration.seconds(5)
    /// The longest time for a statement, or for the statements of a pipeline together.
    public var statementTimeout = Duration.seconds(30)
    /// The number of statements that a connection keeps prepared; 0 for none, as a pooler of transactions needs it.
    public var preparedStatements = 128
    /// The number of times that a transaction is tried while others are in its way, at least 1.
    public var maximumAttempts = 12
    /// The waits between those attempts.
    public var conflictBackoff = Backoff(first: .milliseconds(10), longest: .milliseconds(500))
    /// The waits between failing attempts to connect.
    public var reconnectBackoff = Backoff(first: .milliseconds(50), longest: .seconds(2), jitter: .half)

    /// A database at one or several servers.
    public init(hosts: [Host], database: String, user: String? = nil, password: String? = nil) {
        (self.hosts, self.database, self.user, self.password) = (hosts, database, user, password)
    }

    /// The address without the password.
    public var description: String {
        let addresses = hosts.map { "\($0.name):\($0.port)" }.joined(separator: ",")
        return "postgres://\(user.map { $0 + "@" } ?? "")\(addresses)/\(database)"
    }

    /// Shows no password to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: ["address": description]) }

    /// The parameters of libpq for one of the hosts, at one of its addresses if it has several.
    func keywords(for host: Host, at address: String? = nil) -> [(String, String)] {
        var keywords = [
            ("host", host.name), ("port", String(host.port)), ("dbname", database),
            ("application_name", applicationName), ("client_encoding", "UTF8"),
            ("sslmode", host.isSocket ? "disable" : tls.rawValue),
            ("target_session_attrs", target.rawValue),
            // Kerberos would block, and is not supported here.
            ("gssencmode", "disable"),
            // A peer that is gone is noticed within a minute.
            ("keepalives_idle", "20"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"),
        ]
        if tls == .verifyFull || tls == .verifyCA {
            keywords.append(("sslrootcert", trustedCertificates ?? "/etc/ssl/certs/ca-certificates.crt"))
        }
        // The name stays, for the certificate and the password file.
        if let address { keywords.append(("hostaddr", address)) }
        if let user { keywords.append(("user", user)) }
        if let password { keywords.append(("password", password)) }
        if let passwordFile { keywords.append(("passfile", passwordFile)) }
        return keywords
    }
}
