// SPDX-License-Identifier: MIT

import Concurrency
import DurableFiles
public import FoundationEssentials
import Glibc

/// The place and the bounds of a log on disk: a file that grows, and the one before it, with `.1` behind its name.
public struct LogFile: Sendable, Hashable {
    /// The path of the file that grows.
    public let path: String
    /// The most bytes of both files together.
    public let byteLimit: Int
    /// The age in seconds after which a line goes, when the next line is written or read.
    public let lifetime: TimeInterval

    /// A log. Its folder is made, for its owner alone, with the first line; the folder above it has to be there.
    ///
    /// - Parameters:
    ///   - byteLimit: 10 MB by default; at least 2,000.
    ///   - lifetime: Seconds; a week by default.
    public init(path: String, byteLimit: Int = 10_000_000, lifetime: TimeInterval = 7 * 86_400) {
        (self.path, self.byteLimit, self.lifetime) = (path, max(2_000, byteLimit), lifetime)
    }

    /// The file before.
    var earlier: String { path + ".1" }

    /// Removes the earlier file if its newest line is half a lifetime old, so that none in it lives for more than a whole one.
    func removeExpired(at now: Date) {
        var status = stat()
        guard stat(earlier, &status) == 0 else { return }
        if now.timeIntervalSince1970 - TimeInterval(status.st_mtim.tv_sec) > lifetime / 2 { unlink(earlier) }
    }
}

/// Writes each record as a line of JSON to a ``LogFile``, always without private values.
///
/// Several processes may write to one file: a line is one write(2) at the file's end. The file becomes the earlier one when it
/// has half of the bytes, or its first line half of the lifetime. If it cannot be renamed, it is emptied when it has
/// all of the bytes, or its first line all of the lifetime. A line that cannot be written is dropped.
public final class LogFileSink: LogSink {
    private struct State {
        var file: OpenFile?
        /// The time of the file's first line, as it is written; nil if it has none.
        var beginning: String?
        /// True if a line was cut off by a failure, so that the next one must begin on a line of its own.
        var isCut = false
    }

    private let log: LogFile
    private let minimumLevel: LogLevel
    private let state = Guarded(State())

    /// A sink; it makes no file before the first line.
    ///
    /// - Parameter minimumLevel: The least severe level that is kept, whatever else the logger writes.
    public init(_ log: LogFile, minimumLevel: LogLevel = .info) {
        (self.log, self.minimumLevel) = (log, minimumLevel)
    }

    /// Appends the record's line.
    public func write(_ record: LogRecord) {
        guard record.level >= minimumLevel else { return }
        let line = record.redactedJSON
        state.withLock { state in
            do {
                let file = try place(in: &state, at: record.time)
                try file.write(Array(((state.isCut ? "\n" : "") + line + "\n").utf8))
                state.isCut = false
                if state.beginning == nil { state.beginning = LogLine.timestamp(record.time) }
            } catch {
                state.isCut = true
            }
        }
    }

    /// The open file, in its place and within its bounds.
    private func place(in state: inout State, at now: Date) throws(FileError) -> OpenFile {
        let limit = LogLine.timestamp(now.addingTimeInterval(-log.lifetime / 2))
        // More than once where the file was moved, by this process or another.
        while true {
            guard let file = state.file, file.isInPlace else {
                let file = try open(&state, at: now)
                guard !isFull(file, state, limit) else { continue }
                return file
            }
            guard isFull(file, state, limit), moveAway(file, &state, now) else { return file }
            state.file = nil
        }
    }

    /// Makes a full file the earlier one, unless another process has done so.
    ///
    /// - Returns: False if it stays, and takes further lines: it cannot be renamed, or another process holds its lock.
    private func moveAway(_ file: OpenFile, _ state: inout State, _ now: Date) -> Bool {
        guard (try? file.tryLock()) == true else { return false }
        defer { file.unlock() }
        if !file.isInPlace || rename(log.path, log.earlier) == 0 { return true }
        // Emptied, it keeps the promise of its bounds all the same.
        let isOver = state.beginning.map { $0 < LogLine.timestamp(now.addingTimeInterval(-log.lifetime)) } ?? false
        if isOver || (try? file.size()) ?? 0 >= log.byteLimit, (try? file.truncate(to: 0)) != nil {
            state.beginning = nil
        }
        return false
    }

    private func isFull(_ file: OpenFile, _ state: State, _ limit: String) -> Bool {
        if let beginning = state.beginning, beginning < limit { return true }
        guard let size = try? file.size() else { return false }
        return size >= log.byteLimit / 2
    }

    private func open(_ state: inout State, at now: Date) throws(FileError) -> OpenFile {
        log.removeExpired(at: now)
        mkdir(DurableFile.folder(of: log.path), 0o700)
        let file = try OpenFile(log.path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, mode: 0o600)
        let start = try file.bytes(at: 0, maximum: JSONLogLine.timeRange.upperBound)
        let isWhole = start.count == JSONLogLine.timeRange.upperBound
        state.beginning = isWhole ? String(decoding: start[JSONLogLine.timeRange], as: UTF8.self) : nil
        state.file = file
        return file
    }
}
