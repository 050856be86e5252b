// SPDX-License-Identifier: MIT

public import DurableFiles
public import FoundationEssentials
import Glibc

/// Reads the lines of a ``LogFile``, the earlier file first, and later those that came since.
public struct LogFileReader {
    private static let longestLine = 1_000_000

    private let log: LogFile
    private var file: OpenFile?
    private var offset = 0
    private var rest: [UInt8] = []
    /// True once a file was read: from then on the earlier file has nothing new.
    private var hasBegun = false
    /// The number of lines so far that are no record: cut off by a full disk, or damaged.
    public private(set) var damaged = 0

    /// A reader from the oldest line on. Removes the earlier file if it is too old.
    public init(_ log: LogFile, now: Date = Date()) {
        self.log = log
        log.removeExpired(at: now)
    }

    /// The records that were written since the last call; at first, all. Empty without a file.
    ///
    /// - Throws: `FileError` if a file is there that cannot be read.
    public mutating func next() throws(FileError) -> [LogRecord] {
        var records: [LogRecord] = []
        if !hasBegun, let earlier = try Self.open(log.earlier) {
            hasBegun = true
            records += parsed(try earlier.contents() ?? [])
            rest = []
        }
        while true {
            if file == nil {
                file = try Self.open(log.path)
                (offset, rest) = (0, [])
            }
            guard let file else { return records }
            hasBegun = true
            // Asked before the bytes are read: what is written to a file before it is moved is read below.
            let isInPlace = file.isInPlace
            let size = try file.size()
            // It was emptied, as it could not be moved.
            if size < offset { (offset, rest) = (0, []) }
            let bytes = try file.bytes(at: offset, maximum: size - offset)
            offset += bytes.count
            records += parsed(bytes)
            guard !isInPlace else { return records }
            self.file = nil
        }
    }

    private static func open(_ path: String) throws(FileError) -> OpenFile? {
        do {
            let file = try OpenFile(path, O_RDONLY | O_NOFOLLOW)
            // A folder in the place of the earlier file has no lines.
            return try file.status().st_mode & S_IFMT == S_IFREG ? file : nil
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// The records of the lines that are whole; what follows them waits.
    private mutating func parsed(_ bytes: [UInt8]) -> [LogRecord] {
        var lines = (rest + bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = Array(lines.removeLast())
        if rest.count > Self.longestLine { rest = [] }
        var records: [LogRecord] = []
        for line in lines where !line.isEmpty {
            if let record = JSONLogLine.record(of: Data(line)) {
                records.append(record)
            } else {
                damaged += 1
            }
        }
        return records
    }
}
