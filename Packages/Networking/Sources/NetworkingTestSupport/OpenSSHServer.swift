// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
public import Networking
public import TestKit

/// A real server of SFTP, OpenSSH's, for as long as this value lives. Its user is the one that runs the tests.
public final class OpenSSHServer: Sendable {
    private static let program = "/usr/sbin/sshd"
    /// False without the packages openssh-server and openssh-client.
    public static let isInstalled = access(program, X_OK) == 0 && access("/usr/bin/ssh-keygen", X_OK) == 0

    /// The server did not start.
    public struct NotStarted: Error, CustomStringConvertible {
        /// The server's log.
        public let description: String
    }

    /// A folder with the keys `id`, `locked` (its passphrase is `secret`) and `stranger`, which the server does not know;
    /// `known` and `changed`, files of known hosts with the server's key and with another one; and `files`, an empty folder.
    public let folder: TemporaryFolder
    /// The port at 127.0.0.1.
    public let port: Int
    private let process: ChildProcess

    /// Starts a server.
    public static func start() throws -> OpenSSHServer {
        // Another process may take a free port before the server does.
        for _ in 0..<3 {
            if let server = try? OpenSSHServer() { return server }
        }
        return try OpenSSHServer()
    }

    private init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        port = freePorts(1)[0]
        for (name, passphrase) in [("host", ""), ("id", ""), ("locked", "secret"), ("stranger", "")] {
            let arguments = ["-q", "-t", "ed25519", "-N", passphrase, "-C", name, "-f", folder.file(name)]
            let result = try ChildProcess("ssh-keygen", arguments, errors: .captured).finish()
            guard result.code == 0 else { throw NotStarted(description: result.errors) }
        }
        let text = { (name: String) in String(decoding: try folder.bytes(name), as: UTF8.self) }
        try folder.write(text("id.pub") + text("locked.pub"), to: "authorized")
        try folder.write("[127.0.0.1]:\(port) " + text("host.pub"), to: "known")
        try folder.write("[127.0.0.1]:\(port) " + text("stranger.pub"), to: "changed")
        try FileManager.default.createDirectory(atPath: folder.file("files"), withIntermediateDirectories: false)
        // The folder in which a server that root started has its unprivileged half.
        if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
        var settings = """
            ListenAddress 127.0.0.1:\(port)
            HostKey \(folder.file("host"))
            PidFile \(folder.file("pid"))
            AuthorizedKeysFile \(folder.file("authorized"))
            StrictModes no
            UsePAM no
            PermitRootLogin prohibit-password
            MaxStartups 100
            Subsystem sftp internal-sftp

            """
        // From 9.8 on it turns away an address from which strangers came. Earlier ones do not know the word.
        try folder.write(settings + "PerSourcePenalties no\n", to: "conf")
        let check = try ChildProcess(Self.program, ["-t", "-f", folder.file("conf")], errors: .captured).finish()
        if check.code == 0 { settings += "PerSourcePenalties no\n" }
        try folder.write(settings, to: "conf")
        // The pid file is there once the server listens. It ends when its standard input does.
        let script = """
            \(Self.program) -D -e -f \(folder.file("conf")) 2>log & pid=$!
            while kill -0 $pid && ! [ -s pid ]; do sleep 0.01; done 2>/dev/null; echo; exec >&-
            cat >/dev/null; kill $pid; wait $pid
            """
        process = try ChildProcess("sh", ["-c", script], folder: folder.path, input: .pipe, errors: .discarded)
        _ = process.line()
        guard access(folder.file("pid"), F_OK) == 0 else {
            throw NotStarted(description: (try? text("log")) ?? "no log")
        }
    }

    deinit {
        process.closeInput()
        process.wait()
    }

    /// Ends the connections that stand; the server goes on.
    public func endConnections() throws {
        // A connection's process is a child of the server's.
        let server = String(decoding: try folder.bytes("pid"), as: UTF8.self).filter(\.isNumber)
        _ = try ChildProcess("pkill", ["-P", server], errors: .discarded).finish()
    }

    /// A client's configuration, without time limits: a busy machine takes its time.
    public func configuration(
        key: String = "id", passphrase: String? = nil, known: String = "known"
    ) -> FileTransferClient.Configuration {
        var configuration = FileTransferClient.Configuration(
            host: "127.0.0.1", port: port, user: Self.user,
            credential: .privateKey(path: folder.file(key), passphrase: passphrase),
            knownHostsFile: folder.file(known))
        configuration.connectTimeout = .seconds(3_600)
        configuration.idleTimeout = nil
        return configuration
    }

    /// The name of the user that runs the tests.
    public static let user: String = {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return "root" }
        return String(cString: name)
    }()
}
