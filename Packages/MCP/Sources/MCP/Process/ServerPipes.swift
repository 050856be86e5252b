// SPDX-License-Identifier: MIT

import Concurrency
import Glibc

/// The descriptors between us and a child, and the pipe that wakes the thread which polls them.
struct ServerPipes: Sendable {
    /// Our ends.
    var input: Int32 = -1
    var output: Int32 = -1
    var errors: Int32 = -1
    /// The child's ends.
    var childInput: Int32 = -1
    var childOutput: Int32 = -1
    var childErrors: Int32 = -1
    /// The pipe that wakes the thread.
    var alarm: Int32 = -1
    var bell: Int32 = -1

    /// - Throws: ``MCPError/Code/cannotStart`` if the system has no descriptors left.
    init() throws(MCPError) {
        let made =
            Self.pipe(&childInput, &input) && Self.pipe(&output, &childOutput) && Self.pipe(&errors, &childErrors)
            && Self.pipe(&alarm, &bell)
        guard made else {
            let reason = String(cString: strerror(errno))
            closeAll()
            throw MCPError(.cannotStart, "The system gave no pipe for the server: \(reason).")
        }
        for descriptor in [input, output, errors, alarm, bell] {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        }
    }

    private static func pipe(_ reading: inout Int32, _ writing: inout Int32) -> Bool {
        guard let ends = try? ChildProgram.pipe() else { return false }
        (reading, writing) = ends
        return true
    }

    static func close(_ descriptor: inout Int32) {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
        descriptor = -1
    }

    mutating func closeChildEnds() {
        Self.close(&childInput)
        Self.close(&childOutput)
        Self.close(&childErrors)
    }

    mutating func closeAll() {
        closeChildEnds()
        Self.close(&input)
        Self.close(&output)
        Self.close(&errors)
        Self.close(&alarm)
        Self.close(&bell)
    }
}

/// The newest bytes of a program's standard error.
struct ErrorLog: Sendable {
    private let limit: Int
    private var bytes: [UInt8] = []
    /// The number of bytes that were dropped before those kept.
    private(set) var droppedCount = 0

    init(limit: Int) { self.limit = max(0, limit) }

    mutating func append(_ piece: some Collection<UInt8>) {
        bytes.append(contentsOf: piece.suffix(limit))
        droppedCount += max(0, piece.count - limit)
        // Only at twice the limit, so that a flood costs no more than its length.
        if bytes.count > limit * 2 { trim() }
    }

    private mutating func trim() {
        let excess = max(0, bytes.count - limit)
        bytes.removeFirst(excess)
        droppedCount += excess
    }

    /// The text, with U+FFFD for invalid UTF-8.
    var text: String { String(decoding: bytes.suffix(limit), as: UTF8.self) }
}
