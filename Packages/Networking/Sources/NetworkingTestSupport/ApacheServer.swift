// SPDX-License-Identifier: MIT

public import FoundationEssentials
import Glibc
public import Networking
public import TestKit

/// A real WebDAV server, Apache with mod_dav_fs, for as long as this value lives. The user is `ada`, the password `secret`.
public final class ApacheServer: Sendable {
    private static let program = "/usr/sbin/apache2"
    /// False without the package apache2.
    public static let isInstalled = access(program, X_OK) == 0 && access("\(modules)/mod_dav_fs.so", R_OK) == 0
    private static let modules = "/usr/lib/apache2/modules"
    // `openssl passwd -apr1 secret`
    private static let users = "ada:$apr1$parleyab$zqmHsXJsLbCfRMSaSczgL0\n"

    /// The server did not start.
    public struct NotStarted: Error {
        /// The server's log.
        public let log: String
    }

    /// A folder with `www`, which the server serves.
    public let folder: TemporaryFolder
    /// The port at 127.0.0.1.
    public let port: Int
    private let process: ChildProcess

    /// Starts a server.
    public static func start() throws -> ApacheServer {
        // Another process may take a free port before the server does.
        for _ in 0..<3 {
            if let server = try? ApacheServer() { return server }
        }
        return try ApacheServer()
    }

    private init() throws {
        folder = try TemporaryFolder()
        port = freePorts(1)[0]
        // Started by root, Apache insists on another user for its workers.
        let isRoot = geteuid() == 0
        chmod(folder.path, 0o755)
        for name in ["www", "lock"] {
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
            chmod(folder.file(name), 0o777)
        }
        try folder.write(Self.users.utf8, to: "users", mode: 0o644)
        let names = [
            "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "dav", "dav_fs",
        ]
        try folder.write(
            """
            ServerRoot \(folder.path)
            \(names.map { "LoadModule \($0)_module \(Self.modules)/mod_\($0).so" }.joined(separator: "\n"))
            \(isRoot ? "User www-data\nGroup www-data" : "")
            ServerName localhost
            Listen 127.0.0.1:\(port)
            PidFile \(folder.file("pid"))
            ErrorLog \(folder.file("log"))
            DefaultRuntimeDir \(folder.path)
            Mutex pthread
            StartServers 1
            DocumentRoot \(folder.file("www"))
            DavLockDB \(folder.file("lock"))/db
            <Directory \(folder.file("www"))>
                Dav On
                AuthType Basic
                AuthName test
                AuthUserFile \(folder.file("users"))
                Require valid-user
            </Directory>
            """, to: "conf")
        // The pid file is there once the server listens. It ends when its standard input does.
        let script = """
            \(Self.program) -f \(folder.file("conf")) -DFOREGROUND & pid=$!
            while kill -0 $pid && ! [ -s pid ]; do sleep 0.01; done 2>/dev/null; echo; exec >&-
            cat >/dev/null; kill $pid; wait $pid
            """
        process = try ChildProcess("sh", ["-c", script], folder: folder.path, input: .pipe, errors: .discarded)
        _ = process.line()
        guard access(folder.file("pid"), F_OK) == 0 else {
            throw NotStarted(log: (try? String(contentsOfFile: folder.file("log"), encoding: .utf8)) ?? "no log")
        }
    }

    deinit {
        process.closeInput()
        process.wait()
    }

    /// The address of a path.
    public func url(_ path: String = "") -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)/\(path)") else { preconditionFailure("A URL.") }
        return url
    }

    /// Connections that wait for as long as a busy machine takes.
    public static var connections: CurlTransport.Configuration {
        var connections = CurlTransport.Configuration()
        connections.proxy = .none
        connections.timeouts = HTTPTimeouts(connect: nil, firstByte: nil, idle: nil)
        return connections
    }

    /// Writes a file past the server, which may read and remove it.
    public func plant(_ bytes: [UInt8], _ name: String) throws {
        let objects = folder.file("www/parley-sync")
        if access(objects, F_OK) != 0 {
            try FileManager.default.createDirectory(atPath: objects, withIntermediateDirectories: false)
            chmod(objects, 0o777)
        }
        try folder.write(bytes, to: "www/parley-sync/\(name)", mode: 0o666)
    }
}
