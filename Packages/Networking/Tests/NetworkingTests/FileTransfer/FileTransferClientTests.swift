// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import NetworkingTestSupport
import TestKit
import Testing

@testable import Networking

@Suite(.enabled(if: OpenSSHServer.isInstalled, "needs openssh-server and openssh-client"), .timeLimit(.minutes(5)))
struct FileTransferClientTests {
    private let server: OpenSSHServer
    private let client: FileTransferClient
    private let files: String

    init() throws {
        server = try OpenSSHServer.start()
        client = try FileTransferClient(server.configuration())
        files = server.folder.file("files")
    }

    private func code(_ body: () async throws -> Void) async -> NetworkError.Code? {
        do { try await body() } catch {
            guard let error = error as? NetworkError else { return NetworkError.Code(rawValue: "\(error)") }
            return error.code
        }
        return nil
    }

    @Test func `files are written, listed, read, renamed and removed`() async throws {
        let names = ["a", "b c", "d\"e\\f'g", "é%2F#?~"]
        for (index, name) in names.enumerated() {
            try await client.write([UInt8](repeating: UInt8(index), count: index * 100_000), to: "\(files)/\(name)")
        }
        let listed = try await client.list(files)
        let wanted = names.enumerated().map { RemoteFile(name: $1, kind: .file, size: $0 * 100_000) }
        #expect(Set(listed) == Set(wanted))
        for (index, name) in names.enumerated() {
            let bytes = try await client.read("\(files)/\(name)")
            #expect(bytes == [UInt8](repeating: UInt8(index), count: index * 100_000))
            try await client.rename("\(files)/\(name)", to: "\(files)/new \(name)")
            try await client.remove("\(files)/new \(name)")
        }
        #expect(try await client.list(files).isEmpty)
        await client.close()
        #expect(await code { _ = try await client.list(files) } == .closed)
    }

    @Test func `folders, links and pipes are told apart`() async throws {
        try await client.makeFolder("\(files)/folder")
        symlink("nowhere", "\(files)/link")
        mkfifo("\(files)/pipe", 0o600)
        let kinds = Dictionary(uniqueKeysWithValues: try await client.list(files).map { ($0.name, $0.kind) })
        #expect(kinds == ["folder": .folder, "link -> nowhere": .other, "pipe": .other])
        #expect(try await client.hasFolder("\(files)/folder"))
        #expect(try await client.hasFolder("\(files)/nothing") == false)
    }

    @Test func `a rename never replaces a file`() async throws {
        try await client.write([1], to: "\(files)/a")
        try await client.write([2], to: "\(files)/b")
        #expect(await code { try await client.rename("\(files)/a", to: "\(files)/b") } == .remoteFailure)
        #expect(try await client.read("\(files)/a") == [1])
        #expect(try await client.read("\(files)/b") == [2])
    }

    @Test func `what is missing is told by each call`() async {
        let path = "\(files)/nothing"
        #expect(await code { _ = try await client.list(path) } == .remoteFileMissing)
        #expect(await code { _ = try await client.read(path) } == .remoteFileMissing)
        #expect(await code { try await client.write([1], to: "\(path)/a") } == .remoteFileMissing)
        #expect(await code { try await client.rename(path, to: path + "2") } == .remoteFileMissing)
        #expect(await code { try await client.remove(path) } == .remoteFileMissing)
        #expect(await code { try await client.makeFolder("\(path)/a") } == .remoteFileMissing)
        #expect(await code { try await client.makeFolder(files) } == .remoteFailure)
    }

    @Test func `a path without a slash is below the home`() async throws {
        let name = "parley-\(UUID().uuidString)"
        try await client.write([7], to: name)
        defer { unlink(FileManager.default.homeDirectoryForCurrentUser.path + "/\(name)") }
        #expect(try await client.read(name) == [7])
        #expect(try await client.list("").contains { $0.name == name })
        try await client.rename(name, to: "\(files)/a")
        #expect(try await client.read("\(files)/a") == [7])
    }

    @Test func `no more is read than the limit`() async throws {
        try await client.write([UInt8](repeating: 1, count: 200_000), to: "\(files)/a")
        #expect(try await client.read("\(files)/a", upTo: 200_000).count == 200_000)
        #expect(await code { _ = try await client.read("\(files)/a", upTo: 199_999) } == .responseTooLarge)
        #expect(try await client.read("\(files)/a").count == 200_000, "and the next call works")
    }

    @Test func `an unknown key is refused with the command that adds it`() async throws {
        try server.folder.write("", to: "empty")
        for known in ["empty", "missing"] {
            let stranger = try FileTransferClient(server.configuration(known: known))
            let error = await #expect(throws: NetworkError.self) { try await stranger.list(files) }
            #expect(error?.code == .hostKey)
            let message = try #require(error?.message)
            let show = ["-lf", server.folder.file("host.pub")]
            let shown = try ChildProcess("ssh-keygen", show).finish().output.split(separator: " ")
            #expect(message.contains(shown[1]), "the fingerprint as ssh shows it")
            let command = try #require(message.split(separator: "`").dropFirst().first)
            let result = try ChildProcess("sh", ["-c", String(command)], errors: .discarded).finish()
            #expect(result.output.contains(shown[1]))
            #expect(try await stranger.list(files).isEmpty, "the command that it names works")
        }
    }

    @Test func `a changed key is refused`() async throws {
        let client = try FileTransferClient(server.configuration(known: "changed"))
        let error = await #expect(throws: NetworkError.self) { try await client.list(files) }
        #expect(error?.code == .hostKey && error?.message.contains("ssh-keygen -R") == true)
    }

    @Test func `a key that the server does not know is refused`() async throws {
        let client = try FileTransferClient(server.configuration(key: "stranger"))
        #expect(await code { _ = try await client.list(files) } == .unauthorized)
        var configuration = server.configuration()
        configuration.credential = .password("guess")
        let guesser = try FileTransferClient(configuration)
        let error = await #expect(throws: NetworkError.self) { try await guesser.list(files) }
        #expect(error?.code == .unauthorized && error?.description.contains("guess") == false)
    }

    @Test func `a key with a passphrase opens with it alone`() async throws {
        let client = try FileTransferClient(server.configuration(key: "locked", passphrase: "secret"))
        #expect(try await client.list(files).isEmpty)
        for passphrase in ["guess", nil] {
            let locked = try FileTransferClient(server.configuration(key: "locked", passphrase: passphrase))
            #expect(await code { _ = try await locked.list(files) } == .unauthorized)
        }
        let missing = try FileTransferClient(server.configuration(key: "nothing"))
        #expect(await code { _ = try await missing.list(files) } == .file)
    }

    @Test func `a connection that the server ended is replaced`() async throws {
        try await client.write([1], to: "\(files)/a")
        try server.endConnections()
        #expect(try await client.read("\(files)/a") == [1])
    }

    @Test func `a server that says nothing is left when its time is over`() async throws {
        let silent = try FaultProxy(upstream: .response([]), fault: nil)
        var configuration = server.configuration()
        configuration.port = Int(silent.port)
        configuration.idleTimeout = .milliseconds(50)
        let client = try FileTransferClient(configuration)
        #expect(await code { _ = try await client.list(files) } == .idleTimeout)
    }

    @Test func `a cancelled call ends, and so do those in line`() async throws {
        let silent = try FaultProxy(upstream: .response([]), fault: nil)
        var configuration = server.configuration()
        configuration.port = Int(silent.port)
        let client = try FileTransferClient(configuration)
        let calls = (0..<3).map { _ in Task { [files] in try await client.list(files) } }
        try await eventually("the first call connects") { silent.connectionCount == 1 }
        for call in calls { call.cancel() }
        for call in calls {
            await #expect(throws: CancellationError.self) { try await call.value }
        }
    }

    @Test func `the agent's keys open, too`() async throws {
        let socket = server.folder.file("agent")
        let agent = try ChildProcess("ssh-agent", ["-D", "-a", socket])
        // It says so when it listens; its socket has a name before.
        _ = await agent.detached { $0.text(until: "Agent pid") }
        let add = try ChildProcess(
            "ssh-add", ["-q", server.folder.file("id")], environment: .adding(["SSH_AUTH_SOCK": socket]),
            errors: .discarded)
        #expect(add.finish().code == 0)
        // libssh2 asks for the agent at the address in the environment, which belongs to the whole process.
        let child = try TestChild(
            "AgentChildTests",
            environment: [
                "SSH_AUTH_SOCK": socket, "PARLEY_SFTP_PORT": "\(server.port)",
                "PARLEY_SFTP_KNOWN": server.folder.file("known"), "PARLEY_SFTP_FOLDER": files,
            ])
        #expect(await child.next("listed") == "0")
        _ = await child.end()
        agent.kill()
    }

    @Test func `a path with a line end is refused`() async {
        #expect(await code { try await client.remove("a\nrm b") } == .invalidRequest)
        #expect(await code { _ = try await client.read("a\0b") } == .invalidRequest)
    }
}

/// Runs in a process of its own, with an agent in its environment.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["PARLEY_SFTP_PORT"] != nil, "it is a part of the test above"))
struct AgentChildTests {
    @Test func `lists by the agent`() async throws {
        let variables = ProcessInfo.processInfo.environment
        let client = try FileTransferClient(
            FileTransferClient.Configuration(
                host: "127.0.0.1", port: Int(variables["PARLEY_SFTP_PORT"] ?? "") ?? 0, user: OpenSSHServer.user,
                credential: .agent, knownHostsFile: variables["PARLEY_SFTP_KNOWN"]))
        let files = try await client.list(variables["PARLEY_SFTP_FOLDER"] ?? "")
        print("listed \(files.count)")
    }
}

struct RemoteFileTests {
    @Test(
        arguments: [
            ("", 22, "ada"), ("a b", 22, "ada"), ("a/b", 22, "ada"), ("host", 0, "ada"), ("host", 65_536, "ada"),
            ("host", 22, ""), ("host", 22, "a\nb"),
        ]) func `an invalid server is refused`(host: String, port: Int, user: String)
    {
        let error = #expect(throws: NetworkError.self) {
            try FileTransferClient(.init(host: host, port: port, user: user, credential: .agent))
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test(
        arguments: [
            ("-rw-r--r--    1 ada      users         300 Nov 27 06:44 notes.txt", "notes.txt", 300),
            ("-rw-r--r--    1 ada      users         300 Nov  7  2025 two words", "two words", 300),
            ("-rw-r--r-- 1 Domain Users 12 0 Jan 1 00:00  begins with a space", " begins with a space", 0),
            ("-rwx------    ? 1000     1000   9999999999 Feb 29 23:59 a", "a", 9_999_999_999),
        ]) func `a line of a listing has a name and a size`(line: String, name: String, size: Int)
    {
        #expect(RemoteFile(listingLine: line[...]) == RemoteFile(name: name, kind: .file, size: size))
    }

    @Test(arguments: [
        "", "total 8", "-rw-r--r--", "-rw-r--r-- 1 a b x Nov 27 06:44 a", "-rw-r--r-- 1 a b 1 Nov 27 06:44 ",
    ])
    func `another line has none`(line: String) {
        #expect(RemoteFile(listingLine: line[...]) == nil)
    }
}
