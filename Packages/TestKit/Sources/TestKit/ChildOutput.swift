// SPDX-License-Identifier: MIT

import Glibc

/// The ends of a program's standard output and standard error, and what was read from them and not asked for yet.
struct ChildOutput {
    // Negative once it has ended; poll(2) passes such ones over.
    private var output: Int32
    private var errors: Int32
    private var bell: Int32
    private var unread: [UInt8] = []
    private var complaints: [UInt8] = []

    /// - Parameter bell: A pipe whose end stops the reading; -1 for none.
    init(output: Int32, errors: Int32, bell: Int32) {
        (self.output, self.errors, self.bell) = (output, errors, bell)
    }

    mutating func close() {
        for descriptor in [output, errors, bell] where descriptor >= 0 { Glibc.close(descriptor) }
        (output, errors, bell) = (-1, -1, -1)
    }

    mutating func line(by deadline: ContinuousClock.Instant?) throws(ChildProcess.TimeIsUp) -> String? {
        var searched = 0
        while true {
            if let end = unread[searched...].firstIndex(of: 10) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            searched = unread.count
            guard output >= 0, try readMore(by: deadline) else { return nil }
        }
    }

    mutating func bytes() -> [UInt8] {
        while unread.isEmpty, output >= 0, readMore() {}
        defer { unread = [] }
        return unread
    }

    mutating func text(until marker: [UInt8]) -> String {
        while !unread.contains(marker), output >= 0, readMore() {}
        return String(decoding: unread, as: UTF8.self)
    }

    mutating func rest() -> (output: [UInt8], errors: [UInt8]) {
        while readMore() {}
        defer { (unread, complaints) = ([], []) }
        return (unread, complaints)
    }

    private mutating func readMore() -> Bool { (try? readMore(by: nil)) ?? false }

    /// Reads what there is next of either, so that neither fills its pipe while the other is waited for; false at the end of
    /// both.
    private mutating func readMore(by deadline: ContinuousClock.Instant?) throws(ChildProcess.TimeIsUp) -> Bool {
        while output >= 0 || errors >= 0 {
            var polled = [output, errors, bell].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let left = deadline.map { Int32(max(0, (($0 - .now) / .milliseconds(1)).rounded(.up))) } ?? -1
            let count = poll(&polled, 3, left)
            if count == 0 { throw ChildProcess.TimeIsUp() }
            if count < 0 { continue }
            if polled[2].revents != 0 {
                close()
                return false
            }
            if polled[0].revents != 0 { Self.read(&output, into: &unread) }
            if polled[1].revents != 0 { Self.read(&errors, into: &complaints) }
            return true
        }
        return false
    }

    private static func read(_ descriptor: inout Int32, into bytes: inout [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 { bytes += buffer.prefix(count) }
        // A terminal ends by EIO.
        if count == 0 || count < 0 && errno != EINTR {
            Glibc.close(descriptor)
            descriptor = -1
        }
    }
}
