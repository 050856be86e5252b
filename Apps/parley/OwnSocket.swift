// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import FoundationEssentials
import Glibc
import TerminalKit

/// Sockets in a folder of the person's own, through which the person's programs ask each other. A message is a line of
/// JSON.
enum OwnSocket {
    /// The time limit for one message of a peer, in seconds.
    static let patience = 5
    private static let lengthLimit = 64 << 20

    /// The sockets in the folder.
    static func paths(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".sock") }.sorted().map { folder + "/" + $0 }
    }

    /// Makes a folder for its owner alone, if it is missing.
    static func make(_ folder: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw DomainError.file(
                "The folder \(folder.printable) cannot be created. Check the permissions of the folder above it.")
        }
        var information = stat()
        guard lstat(folder, &information) == 0, information.st_mode & S_IFMT == S_IFDIR,
            information.st_uid == geteuid(), chmod(folder, 0o700) == 0
        else { throw DomainError.file("The folder \(folder.printable) is not yours alone. Move it away.") }
    }

    /// Listens at a new path. The folder's mode keeps other users out before that of the socket does.
    static func listen(at path: String) throws -> ListeningSocket {
        do { return try ListeningSocket(.path(path)) } catch { throw failure("bind", path) }
    }

    /// Takes the next connection; nil for one of another user.
    static func accept(on listener: ListeningSocket) -> Int32? {
        guard let descriptor = try? listener.accept(isBlocking: true) else { return nil }
        limit(descriptor, patience)
        return descriptor
    }

    /// Connects to the program at a path; nil if no program listens there any more.
    static func connect(to path: String, patience: Int = patience) throws -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure("connect", path) }
        limit(descriptor, patience)
        guard LocalSocketAddress.use(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            // A program that was killed left this socket behind.
            if errno == ECONNREFUSED { ListeningSocket.removeAbandoned(path) }
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Sends a message to the program at a path, and returns its answer; nil if no program listens there any more.
    static func exchange<Answer: Decodable>(
        _ message: some Encodable, at path: String, patience: Int = patience
    ) throws -> Answer? {
        guard let descriptor = try connect(to: path, patience: patience) else { return nil }
        defer { close(descriptor) }
        guard send(message, on: descriptor), let line = line(from: descriptor) else { return nil }
        return try? JSONDecoder().decode(Answer.self, from: Data(line))
    }

    /// Sends a message; false if the peer has closed the connection.
    @discardableResult
    static func send(_ message: some Encodable, on descriptor: Int32) -> Bool {
        guard let data = try? JSONEncoder().encode(message) else { return false }
        let bytes = Array(data) + [UInt8(ascii: "\n")]
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { sent += count } else if errno != EINTR { return false }
        }
        return true
    }

    /// The line that the peer sends; nil if none arrives in time.
    static func line(from descriptor: Int32, limit: Int = lengthLimit) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < limit {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            let piece = buffer[..<count]
            if let end = piece.firstIndex(of: UInt8(ascii: "\n")) { return bytes + piece[..<end] }
            bytes += piece
        }
        return nil
    }

    private static func limit(_ descriptor: Int32, _ seconds: Int) {
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    private static func failure(_ what: String, _ path: String) -> DomainError {
        .file("The socket \(path.printable) cannot be used (\(what)): \(String(cString: strerror(errno))).")
    }
}
