// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials
import Glibc
import TestKit

/// A PostgreSQL server of a test's own, of Debian's binaries, in a temporary folder.
///
/// It listens on a Unix socket in that folder, and on a port of 127.0.0.1 if it gets a certificate. It runs as the user
/// `postgres` if the test is root, which the server refuses to be. It ends with its last reference, and with the test's
/// process, however that ends. Calls block; ``start(settings:tcp:data:)`` does not.
public final class PostgresCluster: Sendable {
    /// A command that failed, with its words.
    public struct Failure: Error, CustomStringConvertible {
        /// The command and its words.
        public let description: String

        fileprivate var isTakenPort: Bool { description.contains("could not create any TCP/IP sockets") }
    }

    /// A port besides the socket, which wants TLS and a password (SCRAM).
    public struct TCP: Sendable {
        /// The file of the server's certificate, in PEM; it is copied.
        public var certificate: String
        /// The file of its key.
        public var key: String
        /// Returns a port that is free. It is called again if another process took the port meanwhile.
        public var port: @Sendable () -> Int

        /// A port with TLS.
        public init(certificate: String, key: String, port: @escaping @Sendable () -> Int) {
            (self.certificate, self.key, self.port) = (certificate, key, port)
        }
    }

    /// Debian has a folder for each version; the newest is taken.
    private static let binaries: String = {
        let folder = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return "\(folder)/\(versions.compactMap(Int.init).max() ?? 15)/bin/"
    }()
    /// Ends the server when its own input ends, which it does with this process, and then removes the folder.
    private static let guardian = """
        folder=$1
        shift
        "$@" </dev/null 2>&1 &
        exec >&- 2>&-
        read -r word
        kill -QUIT $!
        wait
        [ "$word" = keep ] || rm -rf "$folder"
        """

    private let folder: TemporaryFolder
    private let data: String
    private let chosenPort = Guarded(5432)
    private let server = Guarded<ChildProcess?>(nil)
    private let databases = Guarded(0)

    /// The user who may do everything, and needs no password on the socket.
    public let superuser = "postgres"
    /// The folder of the socket.
    public var socketFolder: String { folder.path }
    /// The port, which is also a part of the socket's name.
    public var port: Int { chosenPort.withLock { $0 } }

    /// Makes a cluster and starts it.
    ///
    /// - Parameters:
    ///   - settings: Lines of `postgresql.conf` besides the test server's own; it does not wait for the disk.
    ///   - tcp: A port besides the socket.
    ///   - data: An empty folder for the data; nil for one in the temporary folder.
    public static func start(
        settings: [String] = [], tcp: TCP? = nil, data: String? = nil
    ) async throws -> PostgresCluster {
        try await BlockingCall.run { () throws(any Error) -> PostgresCluster in
            try PostgresCluster(settings: settings, tcp: tcp, data: data)
        }
    }

    /// Makes a cluster and starts it; blocks.
    public init(settings: [String] = [], tcp: TCP? = nil, data: String? = nil) throws {
        folder = try TemporaryFolder()
        self.data = data ?? folder.path + "/data"
        try Self.giveAway(folder.path)
        try Self.run(
            Self.binaries + "initdb",
            [
                "-D", self.data, "-U", superuser, "-A", "trust", "--no-sync", "--no-instructions", "-E", "UTF8",
                "--locale=C.UTF-8",
            ])
        var lines = [
            "unix_socket_directories = '\(folder.path)'", "fsync = off", "shared_buffers = 16MB",
            "max_connections = 60", "listen_addresses = ''",
        ]
        var access = ["local all all trust"]
        if let tcp {
            for (from, to) in [(tcp.certificate, "server.crt"), (tcp.key, "server.key")] {
                try Self.run("cp", [from, folder.file(to)], asServer: false)
                try Self.giveAway(folder.file(to))
            }
            lines += [
                "listen_addresses = '127.0.0.1'", "ssl = on", "ssl_cert_file = '\(folder.file("server.crt"))'",
                "ssl_key_file = '\(folder.file("server.key"))'", "password_encryption = 'scram-sha-256'",
            ]
            access.append("hostssl all all 127.0.0.1/32 scram-sha-256")
        }
        try Self.write(lines + settings, to: self.data + "/postgresql.auto.conf")
        try Self.write(access, to: self.data + "/pg_hba.conf")
        for attempt in 1... {
            if let tcp { chosenPort.withLock { $0 = tcp.port() } }
            do {
                try start()
                return
            } catch let failure as Failure where tcp != nil && attempt < 3 && failure.isTakenPort {}
        }
    }

    deinit { stop() }

    // MARK: The server

    /// Starts the server after ``stop()``, and returns when it takes connections.
    public func start() throws {
        // Not runuser, which would stand between the guardian's signal and the server.
        let user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"]
        let process = try ChildProcess(
            "sh",
            ["-c", Self.guardian, "guardian", folder.path] + (geteuid() == 0 ? user : [])
                + [Self.binaries + "postgres", "-D", data, "-p", "\(port)"], folder: "/", input: .pipe, errors: .output)
        var said: [String] = []
        while let line = process.line() {
            said.append(line)
            if line.contains("ready to accept connections") {
                server.withLock { $0 = process }
                // A pipe that is full would hold the server up.
                _ = DetachedThread.start(name: "cluster-log") { while process.line() != nil {} }
                return
            }
        }
        Self.end(process)
        throw Failure(description: "the server does not start: " + said.suffix(8).joined(separator: "\n"))
    }

    /// Ends the server at once, as a crash does.
    public func stop() {
        if let process = server.withLock({ $0.take() }) { Self.end(process) }
    }

    private static func end(_ process: ChildProcess) {
        process.write("keep\n")
        process.closeInput()
        process.wait()
    }

    /// Ends the server at once and starts it again.
    public func restart() throws {
        stop()
        try start()
    }

    // MARK: Databases

    /// Makes an empty database and returns its URL, for the superuser by the socket.
    public func makeDatabase() throws -> String {
        let number = databases.withLock { count in
            count += 1
            return count
        }
        try Self.run(
            Self.binaries + "createdb", ["-h", folder.path, "-p", "\(port)", "-U", superuser, "test\(number)"])
        return url(database: "test\(number)")
    }

    /// The URL of a database by the socket.
    public func url(database: String) -> String {
        "postgres:///\(database)?host=\(folder.path)&port=\(port)".replacing("///", with: "//\(superuser)@/")
    }

    /// The output of psql for a script, as rows of text.
    @discardableResult
    public func psql(_ script: String, database: String = "postgres") throws -> String {
        try Self.run(
            Self.binaries + "psql",
            [
                "-h", folder.path, "-p", "\(port)", "-U", superuser, "-d", database, "-XAtq", "-v", "ON_ERROR_STOP=1",
                "-c", script,
            ])
    }

    // MARK: Processes

    @discardableResult
    private static func run(_ program: String, _ arguments: [String], asServer: Bool = true) throws -> String {
        let isRoot = geteuid() == 0 && asServer
        let child = try ChildProcess(
            isRoot ? "runuser" : program, isRoot ? ["-u", "postgres", "--", program] + arguments : arguments,
            folder: "/", errors: .output)
        let result = child.finish()
        guard result.code == 0 else { throw Failure(description: "\(program): \(result.output)") }
        return result.output
    }

    /// Makes the server's user the owner of a file or folder, readable by nobody else.
    private static func giveAway(_ path: String) throws {
        guard geteuid() == 0 else { return }
        try run("chown", ["postgres:postgres", path], asServer: false)
        try run("chmod", ["go=", path], asServer: false)
    }

    private static func write(_ lines: [String], to path: String) throws {
        guard let file = fopen(path, "w") else { throw Failure(description: "\(path) cannot be written") }
        fputs(lines.map { $0 + "\n" }.joined(), file)
        fclose(file)
    }
}
