// SPDX-License-Identifier: MIT

import CAllocations
import Concurrency
import Diagnostics
import Foundation

/// What happened and when, in nanoseconds of the clock that all processes share; written as lines of JSON at the end, so
/// that nothing is written while something is measured.
final class Journal: Sendable {
    private let lines = Guarded<[String]>([])

    /// Notes something that happened at that moment.
    func note(_ what: String, at moment: UInt64 = Journal.now, _ members: [(String, Int)] = []) {
        let rest = members.map { ", \"\($0.0)\": \($0.1)" }.joined()
        lines.withLock { $0.append("{\"what\": \"\(what)\", \"at\": \(moment)\(rest)}") }
    }

    /// What this process has used so far.
    struct Use {
        fileprivate let wall = Journal.now
        fileprivate let processor = Journal.processorTime
        fileprivate let switches = Journal.contextSwitches
        fileprivate let allocations = CAllocations.allocations()
    }

    /// Notes what a conversation has used since.
    func end(since start: Use) {
        let end = Use()
        note(
            "end",
            [
                ("processor", Int(end.processor - start.processor)), ("wall", Int(end.wall - start.wall)),
                ("switches", end.switches - start.switches), ("allocations", Int(end.allocations - start.allocations)),
                ("kilobytes", Self.peakKilobytes),
            ])
    }

    /// Notes bytes that went over the wire at that moment.
    func note(link: Int, isFromClient: Bool, _ bytes: Data, at moment: UInt64) {
        let line =
            "{\"link\": \(link), \"client\": \(isFromClient), \"at\": \(moment), \"bytes\": \"\(bytes.base64EncodedString())\"}"
        lines.withLock { $0.append(line) }
    }

    func write(to path: String) throws {
        let text = lines.withLock { $0 }.map { $0 + "\n" }.joined()
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    /// Tells whoever started this process something at once.
    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    /// Returns when standard input has ended.
    static func endOfInput() async {
        await withCheckedContinuation { continuation in
            // Reading blocks, which is not for a thread that tasks run on.
            Thread {
                while readLine() != nil {}
                continuation.resume()
            }.start()
        }
    }

    static var now: UInt64 { read(CLOCK_MONOTONIC) }

    /// What this process has used of processors.
    static var processorTime: UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    /// The context switches of all threads of this process, voluntary or not.
    static var contextSwitches: Int {
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_nvcsw + usage.ru_nivcsw
    }

    /// The most memory that this process had, in kilobytes.
    static var peakKilobytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0
    }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// A benchmark that does not do what it says must not print figures.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
