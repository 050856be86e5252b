// SPDX-License-Identifier: MIT

import Diagnostics
import Foundation
import TestKit
import Testing

@Suite struct StandardErrorSinkTests {
    /// What a sink writes into a pipe for these records.
    private func written(usesColour: Bool = false, _ body: (Logger) -> Void) throws -> String {
        let pipe = Pipe()
        let sink = StandardErrorSink(
            fileDescriptor: pipe.fileHandleForWriting.fileDescriptor, usesColour: usesColour)
        body(
            Logger(
                category: "app", minimumLevel: .trace, sink: sink, revealsPrivate: true,
                now: { Date(timeIntervalSince1970: 1_700_000_000.25) }))
        try pipe.fileHandleForWriting.close()
        return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }

    @Test func oneLineARecord() throws {
        let text = try written { logger in
            logger.with("turn", "4f2a").with("a", "two words").info("ready")
            logger.with(category: "speech.recogniser").error("größer")
        }
        #expect(
            text == """
                2023-11-14T22:13:20.250Z info app [a="two words" turn=4f2a] ready
                2023-11-14T22:13:20.250Z error speech.recogniser größer

                """)
    }

    @Test(arguments: [
        "a\n2023-11-14T22:13:20.250Z critical app forged", "a\r\nb", "a\u{2028}b", "a\u{85}b", "a\u{0B}b\u{0C}c",
        "\u{1B}[2J\u{1B}]0;title\u{07}", "a\u{202E}b", "a\u{0}b", "a\\nb", "a\u{9B}31mb",
    ])
    func noValueForgesALineOrMovesTheCursor(hostile: String) throws {
        let text = try written { logger in
            logger.with("k", "\(hostile)").info("\(hostile)")
            logger.with(category: hostile).with(hostile, "v").info("second")
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 3)
        for line in lines.dropLast() { #expect(line.hasPrefix("2023-11-14T22:13:20.250Z info ")) }
        for scalar in text.unicodeScalars where scalar != "\n" {
            #expect(scalar.properties.generalCategory != .control)
            #expect(scalar.properties.generalCategory != .format)
            #expect(scalar.properties.generalCategory != .lineSeparator)
        }
    }

    @Test(arguments: ["\n", "\u{1B}[2J", "\u{2028}", "\u{202E}", "\"", "\\", "größer 🎉", "\u{0}"])
    func `a line of JSON has every value back`(hostile: String) throws {
        let pipe = Pipe()
        let sink = StandardErrorSink(fileDescriptor: pipe.fileHandleForWriting.fileDescriptor, format: .json)
        let logger = Logger(category: "a" + hostile, sink: sink, now: { Date(timeIntervalSince1970: 1_700_000_000.25) })
        logger.with("k" + hostile, "v\(hostile, privacy: .public)").warning("m\(hostile, privacy: .public)")
        try pipe.fileHandleForWriting.close()
        let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
        #expect(bytes.last == 10 && bytes.dropLast().allSatisfy { $0 >= 0x20 })
        let object = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        #expect(object["time"] as? String == "2023-11-14T22:13:20.250Z" && object["level"] as? String == "warning")
        #expect(object["category"] as? String == "a" + hostile && object["message"] as? String == "m" + hostile)
        #expect(object["fields"] as? [String: String] == ["k" + hostile: "v" + hostile])
        let scalars = String(decoding: bytes.dropLast(), as: UTF8.self).unicodeScalars
        #expect(scalars.allSatisfy { ![.format, .control, .lineSeparator].contains($0.properties.generalCategory) })
    }

    @Test func backslashesAreEscapedSoThatTheLineIsUnambiguous() throws {
        let text = try written { logger in
            logger.info("a\\nb")
            logger.info("a\nb")
        }
        #expect(text.contains(#"a\\nb"#))
        #expect(text.split(separator: "\n").last?.hasSuffix(#" a\nb"#) == true)
    }

    @Test func metadataCannotPoseAsAnotherKeyOrEndItsBrackets() throws {
        let text = try written { logger in
            logger.with("user", "\("ada admin=yes] fine \" x")").info("done")
        }
        #expect(text.hasSuffix(#"[user="ada admin=yes] fine \" x"] done"# + "\n"))
    }

    @Test func colourIsOnlyAroundTheLevel() throws {
        let text = try written(usesColour: true) { $0.warning("careful") }
        #expect(text == "2023-11-14T22:13:20.250Z \u{1B}[33mwarning\u{1B}[0m app careful\n")
    }

    @Test func timesBeforeTheEpochAndAbsurdOnesAreWritten() throws {
        let pipe = Pipe()
        let sink = StandardErrorSink(fileDescriptor: pipe.fileHandleForWriting.fileDescriptor)
        for seconds in [-0.25, .infinity, .nan, 1e300] {
            Logger(category: "c", sink: sink, now: { Date(timeIntervalSince1970: seconds) }).info("x")
        }
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.hasPrefix("1969-12-31T23:59:59.750Z info c x\n"))
        #expect(text.split(separator: "\n").count == 4)
    }

    @Test func `a closed descriptor drops the record and later ones arrive`() throws {
        let pipe = Pipe()
        let end = pipe.fileHandleForWriting.fileDescriptor
        // A high number: nothing else in this process is given it while it is closed.
        let number = fcntl(end, F_DUPFD_CLOEXEC, 900)
        try #require(number >= 900)
        let logger = Logger(category: "c", sink: StandardErrorSink(fileDescriptor: number))
        close(number)
        logger.info("nowhere")
        try #require(dup2(end, number) == number)
        logger.info("here")
        close(number)
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.contains("here") && !text.contains("nowhere"))
    }

    @Test func concurrentLinesAreNotMixed() async throws {
        let folder = try TemporaryFolder()
        let descriptor = open(try folder.write("", to: "log"), O_WRONLY | O_APPEND)
        defer { close(descriptor) }
        let logger = Logger(category: "c", sink: StandardErrorSink(fileDescriptor: descriptor))
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask { for _ in 0..<200 { logger.info("start \(writer, privacy: .public) end") } }
            }
        }
        let lines = String(decoding: try folder.bytes("log"), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 1_600)
        #expect(lines.allSatisfy { $0.contains(" start ") && $0.hasSuffix(" end") })
    }
}
