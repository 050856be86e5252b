// SPDX-License-Identifier: MIT

import Diagnostics
import Foundation
import TestKit
import Testing

/// A journal of our own: a bound datagram socket in a temporary folder.
private final class ReceivingSocket {
    private let folder: TemporaryFolder
    var path: String { folder.file("socket") }
    private let descriptor: Int32

    init() throws {
        folder = try TemporaryFolder()
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    deinit { close(descriptor) }

    /// The next datagram's fields, read as the journal's protocol says; `nil` when none waits.
    func fields() throws -> [(name: String, value: String)]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count >= 0 else { return nil }
        var rest = buffer[..<count]
        var fields: [(String, String)] = []
        while !rest.isEmpty {
            let end = try #require(rest.firstIndex(of: 0x0A))
            let line = rest[..<end]
            if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                fields.append((text(line[..<equals]), text(line[(equals + 1)...])))
                rest = rest[(end + 1)...]
            } else {
                let length = rest[(end + 1)..<(end + 9)].reversed().reduce(0) { $0 << 8 | Int($1) }
                let start = end + 9
                fields.append((text(line), text(rest[start..<(start + length)])))
                #expect(rest[start + length] == 0x0A)
                rest = rest[(start + length + 1)...]
            }
        }
        return fields
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

@Suite struct JournaldSinkTests {
    @Test func writesTheProtocolsFields() throws {
        let journal = try ReceivingSocket()
        let sink = try JournaldSink(identifier: "parley-test", path: journal.path)
        Logger(category: "speech", sink: sink, metadata: ["turn-id": "4f2a", "user": "\("ada")"]).warning("late")
        let fields = try #require(try journal.fields())
        #expect(
            fields.map { "\($0.name)=\($0.value)" } == [
                "MESSAGE=late", "PRIORITY=4", "SYSLOG_IDENTIFIER=parley-test", "PARLEY_CATEGORY=speech", "TURN_ID=4f2a",
                "USER=<private>",
            ])
        #expect(try journal.fields() == nil)
    }

    @Test func `a stream is the journal's if device and inode are`() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        var status = stat()
        try #require(fstat(descriptor, &status) == 0)
        #expect(JournaldSink.isJournal(descriptor, stream: "\(status.st_dev):\(status.st_ino)"))
        for other in [
            nil, "", "\(status.st_dev)", "\(status.st_dev):\(status.st_ino + 1)", "1:\(status.st_ino)", "x:y",
        ] {
            #expect(!JournaldSink.isJournal(descriptor, stream: other), "\(other ?? "nil")")
        }
    }

    @Test func aNewlineStaysInsideItsField() throws {
        let journal = try ReceivingSocket()
        let sink = try JournaldSink(path: journal.path)
        let hostile = "first\nPRIORITY=0\nMESSAGE=forged\n"
        Logger(category: "a\nUSER=root", sink: sink, revealsPrivate: true).with("note", "\(hostile)").info("\(hostile)")
        let fields = try #require(try journal.fields())
        #expect(fields.map(\.name) == ["MESSAGE", "PRIORITY", "SYSLOG_IDENTIFIER", "PARLEY_CATEGORY", "NOTE"])
        #expect(fields[0].value == hostile)
        #expect(fields[1].value == "6")
        #expect(fields[3].value == "a\nUSER=root")
        #expect(fields[4].value == hostile)
    }

    @Test(arguments: [
        ("message", "PARLEY_MESSAGE"), ("Priority", "PARLEY_PRIORITY"), ("_pid", "PARLEY__PID"),
        ("9lives", "PARLEY_9LIVES"),
        ("", "PARLEY_"), ("é=x\ny", "PARLEY___X_Y"), ("http.status", "HTTP_STATUS"),
    ])
    func keysBecomeFieldNamesThatNobodyElseOwns(key: String, expected: String) throws {
        let journal = try ReceivingSocket()
        let sink = try JournaldSink(path: journal.path)
        Logger(category: "c", sink: sink).with(key, "v").info("m")
        let fields = try #require(try journal.fields())
        #expect(fields.last?.name == expected)
        #expect(fields.filter { $0.name == "MESSAGE" }.count == 1)
    }

    @Test(arguments: LogLevel.allCases)
    func levelsAreSyslogsSeverities(level: LogLevel) throws {
        let journal = try ReceivingSocket()
        let sink = try JournaldSink(path: journal.path)
        Logger(category: "c", minimumLevel: .trace, sink: sink).log(level, "m")
        let severities: [LogLevel: String] = [
            .trace: "7", .debug: "7", .info: "6", .notice: "5", .warning: "4", .error: "3", .critical: "2",
        ]
        #expect(try journal.fields()?.first { $0.name == "PRIORITY" }?.value == severities[level])
    }

    @Test func aRecordThatIsTooLargeIsCutAndSaysSo() throws {
        let journal = try ReceivingSocket()
        let sink = try JournaldSink(path: journal.path)
        let long = String(repeating: "é", count: 4 << 20)
        Logger(category: "c", sink: sink).with("turn", "1").info("\(long, privacy: .public)")
        let fields = try #require(try journal.fields())
        let message = try #require(fields.first?.value)
        #expect(message.hasPrefix("éé"))
        #expect(message.hasSuffix("… (\((8 << 20) - (32 << 10)) more bytes)"))
        #expect(fields.last?.value == "1")
        #expect(sink.dropped == 0)
    }

    @Test func aJournalThatDoesNotReadHoldsNobodyUp() throws {
        let journal = try ReceivingSocket()
        let sink = try JournaldSink(path: journal.path, patience: .zero)
        let logger = Logger(category: "c", sink: sink)
        for _ in 0..<5_000 { logger.info("m") }
        var received = 0
        while try journal.fields() != nil { received += 1 }
        #expect(received > 0)
        #expect(sink.dropped == 5_000 - received)
    }

    @Test func aRestartedJournalIsFoundAgain() throws {
        var journal: ReceivingSocket? = try ReceivingSocket()
        let path = try #require(journal?.path)
        let sink = try JournaldSink(path: path)
        let logger = Logger(category: "c", sink: sink)
        let moved = path + ".old"
        try FileManager.default.moveItem(atPath: path, toPath: moved)
        logger.info("lost")
        #expect(sink.dropped == 1)
        try FileManager.default.moveItem(atPath: moved, toPath: path)
        logger.info("found")
        #expect(try journal?.fields()?.first?.value == "found")
        journal = nil
        logger.info("gone")
        #expect(sink.dropped == 2)
    }

    @Test func aMissingSocketThrows() {
        #expect(throws: DiagnosticsError.self) { try JournaldSink(path: TemporaryFolder().file("socket")) }
        let long = "/tmp/" + String(repeating: "x", count: 200)
        do {
            _ = try JournaldSink(path: long)
            Issue.record("A path that does not fit was taken.")
        } catch let error as DiagnosticsError {
            #expect(error.code == .unavailable)
            #expect(error.message.contains("107"))
        } catch {
            Issue.record(error)
        }
    }
}
