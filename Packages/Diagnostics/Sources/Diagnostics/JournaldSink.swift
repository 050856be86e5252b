// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Writes records to systemd's journal over its datagram socket, with the category and the metadata as fields.
///
/// Read them with `journalctl -t parley PARLEY_CATEGORY=speech`. The values of a record that is too large for a
/// datagram (about 200 kB on an untuned kernel) are cut at 32 KiB, then at 2 KiB, and say how much was cut. If the
/// journal does not take a record within the sink's patience, the record is dropped and counted: logging must not hold
/// up a program for long.
public final class JournaldSink: LogSink {
    /// The journal's socket on every systemd machine.
    public static let standardPath = "/run/systemd/journal/socket"

    /// The most bytes of a value, from the first attempt to the last.
    private static let valueLimits = [Int.max, 32 << 10, 2 << 10]

    private let socket: Int32
    private let address: sockaddr_un
    private let identifier: String
    private let flags: Int32
    private let droppedCount = Atomic<Int>(0)

    /// The number of records that the journal did not take.
    public var dropped: Int { droppedCount.load(ordering: .relaxed) }

    /// A sink on the journal's socket.
    ///
    /// - Parameters:
    ///   - identifier: `SYSLOG_IDENTIFIER`, the program's name.
    ///   - path: The socket's path; at most 107 bytes.
    ///   - patience: The longest wait of a record for a busy journal; zero never waits.
    /// - Throws: ``DiagnosticsError`` with the code `unavailable` if no program listens at the path.
    public init(
        identifier: String = "parley",
        path: String = JournaldSink.standardPath,
        patience: Duration = .milliseconds(100)
    ) throws {
        guard let address = Self.address(of: path) else {
            throw DiagnosticsError(
                code: .unavailable,
                message: "The journal's socket path \(path) is longer than 107 bytes; use a shorter one.")
        }
        let listens = try Self.withSocket { probe in
            Self.withPointer(to: address) { connect(probe, $0, $1) } == 0
        }
        guard listens else {
            let number = errno
            throw DiagnosticsError(
                code: .unavailable,
                message: "No journal listens at \(path): log to standard error instead.", underlying: number)
        }
        self.address = address
        self.identifier = identifier
        socket = try Self.openSocket()
        let (seconds, attoseconds) = patience.components
        var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        let waits = limit.tv_sec > 0 || (limit.tv_sec == 0 && limit.tv_usec > 0)
        flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(socket)
    }

    /// True if a stream leads to the journal, by systemd's `JOURNAL_STREAM` (systemd.exec(5)). A program whose standard
    /// error leads there sends fields instead of lines.
    ///
    /// - Parameter stream: The variable's value, `DEVICE:INODE`.
    public static func isJournal(_ fileDescriptor: Int32, stream: String?) -> Bool {
        guard let parts = stream?.split(separator: ":"), parts.count == 2 else { return false }
        var status = stat()
        return fstat(fileDescriptor, &status) == 0 && UInt64(parts[0]) == UInt64(status.st_dev)
            && UInt64(parts[1]) == UInt64(status.st_ino)
    }

    /// Sends the record.
    public func write(_ record: LogRecord) {
        for limit in Self.valueLimits {
            let error = send(JournalEntry.encoded(record, identifier: identifier, valueLimit: limit))
            if error == 0 { return }
            guard error == EMSGSIZE else { break }
        }
        droppedCount.add(1, ordering: .relaxed)
    }

    /// Sends one datagram and returns the error number, zero for success.
    private func send(_ bytes: [UInt8]) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var result: Int
            repeat {
                // The address is sent with each datagram, so that a restarted journal is found again.
                result = Self.withPointer(to: address) {
                    sendto(socket, buffer.baseAddress, buffer.count, flags, $0, $1)
                }
            } while result < 0 && errno == EINTR
            return result < 0 ? errno : 0
        }
    }

    private static func openSocket() throws -> Int32 {
        let type = Int32(bitPattern: SOCK_DGRAM.rawValue) | Int32(bitPattern: SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else {
            let number = errno
            throw DiagnosticsError(
                code: .unavailable, message: "No socket could be opened: close files or raise `ulimit -n`.",
                underlying: number)
        }
        return descriptor
    }

    private static func withSocket(_ body: (Int32) -> Bool) throws -> Bool {
        let descriptor = try openSocket()
        let result = body(descriptor)
        let number = errno
        close(descriptor)
        errno = number
        return result
    }

    private static func address(of path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { field in
            guard bytes.count < field.count, !bytes.contains(0) else { return false }
            field.copyBytes(from: bytes)
            return true
        }
        return fits ? address : nil
    }

    private static func withPointer<Result>(
        to address: sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
