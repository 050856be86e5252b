// SPDX-License-Identifier: MIT

import Diagnostics
import DurableFiles
import Foundation
import TestKit
import Testing

@Suite struct LogFileTests {
    private static let start = Date(timeIntervalSince1970: 1_700_000_000.25)
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/logs/parley.log" }

    init() throws { folder = try TemporaryFolder() }

    private func logger(_ log: LogFile, at date: Date = start) -> Logger {
        Logger(category: "test", minimumLevel: .trace, sink: LogFileSink(log), now: { date })
    }

    private func texts(_ log: LogFile, now: Date = start) throws -> [String] {
        var reader = LogFileReader(log, now: now)
        return try reader.next().map(\.message.text)
    }

    private func sizes() throws -> [Int] {
        try [path, path + ".1"].filter { FileManager.default.fileExists(atPath: $0) }.map {
            try OpenFile($0, O_RDONLY).size()
        }
    }

    @Test func `a record comes back as it was, without what is private`() throws {
        let log = LogFile(path: path)
        let secret = "my words"
        let logger = Logger(category: "a.b", sink: LogFileSink(log), revealsPrivate: true, now: { Self.start })
        logger.with("turn", "4f\n2a").warning("heard \(3, privacy: .public) words: \(secret)\u{202E}")
        logger.debug("not kept")
        var reader = LogFileReader(log, now: Self.start)
        let records = try reader.next()
        #expect(records.count == 1 && reader.damaged == 0)
        let record = try #require(records.first)
        #expect(record.time == Self.start && record.level == .warning && record.category == "a.b")
        #expect(record.message.text == "heard 3 words: <private>\u{202E}" && record.metadata["turn"]?.text == "4f\n2a")
        let stored = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        #expect(!stored.contains(secret) && stored.filter { $0 == "\n" }.count == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        let folderMode =
            try FileManager.default.attributesOfItem(atPath: folder.path + "/logs")[.posixPermissions] as? Int
        #expect(mode == 0o600 && folderMode == 0o700)
    }

    @Test func `nothing is made before the first line, nor where the folder above is not there`() throws {
        let log = LogFile(path: path)
        logger(log).debug("no line")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [] && texts(log) == [])
        let elsewhere = LogFile(path: folder.path + "/no/logs/parley.log")
        logger(elsewhere).error("dropped")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [] && texts(elsewhere) == [])
    }

    @Test func `the bytes stay below the limit, and the newest lines are there`() throws {
        let log = LogFile(path: path, byteLimit: 20_000)
        let logger = logger(log)
        for number in 0..<1_000 { logger.info("line \(number, privacy: .public)") }
        // Each file ends with the line that passes the half.
        #expect(try sizes().count == 2 && sizes().reduce(0, +) < 20_000 + 400)
        let texts = try texts(log)
        #expect(texts.count > 80 && texts == (1_000 - texts.count..<1_000).map { "line \($0)" })
    }

    @Test(.timeLimit(.minutes(5))) func `a file that cannot be renamed takes further lines`() throws {
        try FileManager.default.createDirectory(atPath: path + ".1", withIntermediateDirectories: true)
        let logger = logger(LogFile(path: path, byteLimit: 2_000))
        for number in 0..<100 { logger.info("line \(number, privacy: .public)") }
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        #expect(text.utf8.count < 2_000 + 400 && text.contains("line 99") && !text.contains("line 0\""))
        // The next line is a week later.
        let later = Self.start.addingTimeInterval(8 * 86_400)
        self.logger(LogFile(path: path, byteLimit: 2_000), at: later).info("later")
        #expect(try texts(LogFile(path: path), now: later) == ["later"])
    }

    @Test(.timeLimit(.minutes(5))) func `a process that stopped with the lock holds nobody up`() throws {
        let logger = logger(LogFile(path: path, byteLimit: 2_000))
        for number in 0..<5 { logger.info("line \(number, privacy: .public)") }
        let other = try OpenFile(path, O_RDONLY)
        #expect(try other.tryLock())
        for number in 5..<50 { logger.info("line \(number, privacy: .public)") }
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        #expect(text.contains("line 49"))
        other.unlock()
    }

    @Test func `no line outlives the week`() throws {
        let log = LogFile(path: path)
        for day in 0..<30 {
            let date = Self.start.addingTimeInterval(Double(day) * 86_400)
            logger(log, at: date).info("\(day, privacy: .public)")
            for file in [path, path + ".1"] where FileManager.default.fileExists(atPath: file) {
                // The clock of the file system is not ours.
                let lines = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self).split(
                    separator: "\n")
                if let last = lines.last, let time = try? Date(last.dropFirst(9).prefix(19) + "Z", strategy: .iso8601) {
                    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file)
                }
            }
            let kept = try texts(log, now: date).compactMap(Int.init)
            #expect(
                kept.last == day && kept.allSatisfy { $0 >= day - 7 } && kept.count >= min(day, 3), "\(day): \(kept)")
        }
    }

    @Test func `the earlier file is read once, also while the present one is missing`() throws {
        let log = LogFile(path: path)
        logger(log).notice("earlier")
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        var reader = LogFileReader(log, now: Self.start)
        #expect(try reader.next().map(\.message.text) == ["earlier"])
        #expect(try reader.next().isEmpty)
        logger(log).notice("later")
        #expect(try reader.next().map(\.message.text) == ["later"])
    }

    @Test func `a reader follows across the change of files`() throws {
        let log = LogFile(path: path, byteLimit: 4_000)
        let logger = logger(log)
        var reader = LogFileReader(log, now: Self.start)
        #expect(try reader.next().isEmpty)
        var texts: [String] = []
        for number in 0..<200 {
            logger.notice("\(number, privacy: .public)")
            if number % 7 == 0 { texts += try reader.next().map(\.message.text) }
        }
        texts += try reader.next().map(\.message.text)
        #expect(texts == (0..<200).map { "\($0)" } && reader.damaged == 0)
    }

    /// Four writers with 500 different lines each.
    private func writeAtOnce(to log: LogFile) async {
        await withTaskGroup { group in
            for writer in 0..<4 {
                group.addTask {
                    let logger = logger(log)
                    for number in 0..<500 { logger.info("\(writer, privacy: .public) \(number, privacy: .public)") }
                }
            }
        }
    }

    @Test func `several writers lose nothing and mix nothing`() async throws {
        let log = LogFile(path: path, byteLimit: 10_000_000)
        await writeAtOnce(to: log)
        let texts = try texts(log)
        #expect(texts.count == 2_000 && Set(texts).count == 2_000)
    }

    @Test func `several writers change files at once, and keep the bounds`() async throws {
        let log = LogFile(path: path, byteLimit: 40_000)
        await writeAtOnce(to: log)
        var reader = LogFileReader(log, now: Self.start)
        let records = try reader.next()
        #expect(records.count > 100 && reader.damaged == 0)
        #expect(try sizes().reduce(0, +) < 40_000 + 8_000)
    }

    @Test func `what is damaged is counted, and the rest is read`() throws {
        let log = LogFile(path: path)
        logger(log).info("first")
        let file = try OpenFile(path, O_WRONLY | O_APPEND)
        try file.write(Array("{\"time\":\"2023\nno json\n\u{0}\u{FF}\n{\"time\":\"x\",\"level\":\"info\"}\n".utf8))
        try file.write([0xFF, 0xFE, 10])
        logger(log).info("second")
        try file.write(Array("{\"time\":\"2023-11-14T22:13".utf8))
        var reader = LogFileReader(log, now: Self.start)
        #expect(try reader.next().map(\.message.text) == ["first", "second"] && reader.damaged == 5)
        logger(log).info("joined to the half line")
        #expect(try reader.next().isEmpty && reader.damaged == 6)
    }

    @Test func `a link is not written through`() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/logs", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/target")
        logger(LogFile(path: path)).error("dropped")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/target"))
    }

    @Test func `a disk that was full costs the lines of that time alone`() throws {
        let log = LogFile(path: path)
        let logger = logger(log)
        logger.info("before")
        // The folder is a file for a moment: a new file cannot be made.
        try FileManager.default.moveItem(atPath: folder.path + "/logs", toPath: folder.path + "/away")
        try Data().write(to: URL(filePath: folder.path + "/logs"))
        logger.info("lost")
        try FileManager.default.removeItem(atPath: folder.path + "/logs")
        logger.info("after")
        #expect(try texts(log) == ["after"])
    }
}
