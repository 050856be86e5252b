// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import Glibc
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct SocketTests {
    /// A client of this machine, whose calls block.
    private final class Client: Sendable {
        let descriptor: Int32

        init(_ address: ListeningSocket.Address) throws {
            guard case .tcp(_, let port) = address else { throw SocketError(.invalidAddress, "no TCP") }
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard result == 0 else { throw SocketError(.broken, "refused") }
        }

        deinit { close(descriptor) }

        func send(_ text: String) { _ = Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

        /// The next bytes as text; empty at the end.
        func text() async -> String {
            await BlockingCall.run { [descriptor] in
                var buffer = [UInt8](repeating: 0, count: 4_096)
                let count = recv(descriptor, &buffer, buffer.count, 0)
                return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
            }
        }
    }

    /// Runs a server of echoes while `body` uses it.
    private static func echo(
        atMost connections: Int = 64, _ body: @escaping @Sendable (ListeningSocket.Address) async throws -> Void
    ) async throws {
        let socket = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                var server = SocketServer(socket)
                server.maximumConnections = connections
                server.refusal = Array("full".utf8)
                do {
                    try await server.run { stream in
                        while let bytes = try? await stream.read(), !bytes.isEmpty { try? await stream.write(bytes) }
                    }
                } catch is CancellationError {}
            }
            group.addTask { try await body(socket.address) }
            try await group.next()
        }
    }

    @Test func `clients are served at once, and a silent one holds nobody up`() async throws {
        try await Self.echo { address in
            let silent = try Client(address)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let client = try Client(address)
                        for round in 0..<20 {
                            client.send("\(number) \(round)")
                            #expect(await client.text() == "\(number) \(round)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            silent.send("late")
            #expect(await silent.text() == "late")
        }
    }

    @Test func `one connection too many is told and closed`() async throws {
        try await Self.echo(atMost: 1) { address in
            let first = try Client(address)
            first.send("a")
            #expect(await first.text() == "a")
            let second = try Client(address)
            #expect(await second.text() == "full")
            #expect(await second.text().isEmpty)
            first.send("b")
            #expect(await first.text() == "b")
        }
    }

    @Test func `a slow reader gets every byte in order`() async throws {
        let socket = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0))
        // More than the system keeps for both ends.
        let sent = (0..<80).flatMap { [UInt8](repeating: $0, count: 256 << 10) }
        let task = Task {
            try await SocketServer(socket).run { stream in try? await stream.write(sent) }
        }
        let client = try Client(socket.address)
        let received = await BlockingCall.run { [descriptor = client.descriptor] in
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 100_000)
            while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 { bytes += buffer[..<count] }
            return bytes
        }
        #expect(received == sent)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `cancelling ends connections that wait, and frees the port`() async throws {
        let socket = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0))
        let served = Promise<Void>()
        let task = Task {
            try await SocketServer(socket).run { stream in
                served.resolve()
                // A client that sends nothing.
                _ = try? await stream.read()
            }
        }
        let client = try Client(socket.address)
        try await served.value()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await client.text().isEmpty)
        let again = try ListeningSocket(socket.address)
        again.close()
    }

    @Test func `a socket is closed once, and serves nobody afterwards`() async throws {
        let socket = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0))
        socket.close()
        #expect(socket.descriptor == -1)
        socket.close()
        #expect(try socket.accept() == nil)
        let error = await #expect(throws: SocketError.self) { try await SocketServer(socket).run { _ in } }
        #expect(error?.code == .closed)
    }

    @Test func `an address in use says so`() throws {
        let first = try ListeningSocket(.tcp(host: "::1", port: 0))
        defer { first.close() }
        let error = #expect(throws: SocketError.self) { _ = try ListeningSocket(first.address) }
        #expect(error?.code == .addressInUse)
        #expect(error?.message.contains("\(first.address)") == true)
    }

    @Test(arguments: [
        (ListeningSocket.Address.tcp(host: "localhost", port: 0), SocketError.Code.invalidAddress),
        (.tcp(host: "127.0.0.1", port: 70_000), .invalidAddress),
        (.tcp(host: "192.0.2.1", port: 0), .addressUnavailable),
        (.path("/nowhere/x.sock"), .addressUnavailable),
    ])
    func `another address is refused`(address: ListeningSocket.Address, code: SocketError.Code) {
        let error = #expect(throws: SocketError.self) { _ = try ListeningSocket(address) }
        #expect(error?.code == code)
    }

    @Test func `a path is taken over from the dead alone`() throws {
        let folder = try TemporaryFolder()
        // Longer than an address.
        let parent = folder.file(String(repeating: "x", count: 120))
        #expect(mkdir(parent, 0o700) == 0)
        let path = parent + "/a.sock"
        let first = try ListeningSocket(.path(path))
        #expect(throws: SocketError.self) { _ = try ListeningSocket(.path(path)) }
        // A killed program closes its socket and leaves the path.
        close(first.descriptor)
        let second = try ListeningSocket(.path(path))
        var information = stat()
        #expect(stat(path, &information) == 0 && information.st_mode & 0o777 == 0o600)
        second.close()
        #expect(access(path, F_OK) != 0)
    }

    @Test func `one of two programs takes over what they find abandoned`() async throws {
        let folder = try TemporaryFolder()
        for round in 0..<300 {
            let path = folder.file("\(round).sock")
            let dead = try ListeningSocket(.path(path))
            // A child that another test starts may have it, too, until it runs its program.
            dead.shutDown()
            close(dead.descriptor)
            async let one = BlockingCall.run { try? ListeningSocket(.path(path)) }
            async let other = BlockingCall.run { try? ListeningSocket(.path(path)) }
            let sockets = await [one, other].compactMap(\.self)
            #expect(sockets.count == 1 && access(path, F_OK) == 0, "\(round)")
            for socket in sockets { socket.close() }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `a path that is another program's by now is left alone`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.sock")
        let first = try ListeningSocket(.path(path))
        unlink(path)
        let second = try ListeningSocket(.path(path))
        first.close()
        #expect(access(path, F_OK) == 0)
        second.close()
        #expect(access(path, F_OK) != 0)
    }

    @Test func `what is no socket is left alone`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("notes", to: "notes")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: folder.file("notes"))
        for name in ["notes", "link"] {
            let error = #expect(throws: SocketError.self) { _ = try ListeningSocket(.path(folder.file(name))) }
            #expect(error?.description.contains("is no socket") == true, "\(String(describing: error))")
        }
        #expect([UInt8](FileManager.default.contents(atPath: folder.file("link")) ?? Data()) == Array("notes".utf8))
        // Another program may put a file there while it listens.
        let listener = try ListeningSocket(.path(folder.file("a.sock")))
        unlink(folder.file("a.sock"))
        _ = try folder.write("new", to: "a.sock")
        listener.close()
        #expect([UInt8](FileManager.default.contents(atPath: folder.file("a.sock")) ?? Data()) == Array("new".utf8))
    }

    @Test func `whoever sees a path can connect to it`() async throws {
        let folder = try TemporaryFolder()
        let paths = (0..<500).map { folder.file("\($0).sock") }
        let refusals = Task.detached {
            var refusals = 0
            for path in paths {
                while true {
                    let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
                    defer { close(client) }
                    if LocalSocketAddress.use(path, { connect(client, $0, $1) }) == 0 { break }
                    if errno == ECONNREFUSED { refusals += 1 }
                }
            }
            return refusals
        }
        for path in paths {
            let listener = try ListeningSocket(.path(path))
            defer { listener.close() }
            var client: Int32?
            while client == nil { client = try listener.accept() }
            if let client { close(client) }
        }
        #expect(await refusals.value == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `a stream that was closed throws`() async throws {
        var pair: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &pair) == 0)
        let loop = try SocketLoop(name: "test")
        defer { loop.close() }
        let (stream, peer) = (SocketStream(pair[0], loop: loop), SocketStream(pair[1], loop: loop))
        async let waiting = stream.read()
        peer.close()
        #expect(try await waiting.isEmpty)
        stream.close()
        await #expect(throws: SocketError.self) { _ = try await stream.read() }
        await #expect(throws: SocketError.self) { try await stream.write([1]) }
    }
}
