// SPDX-License-Identifier: MIT

import Testing

@testable import Networking

struct StatusLineTests {
    private func push(_ lines: [String]) -> ResponseHeadParser.Event {
        var parser = ResponseHeadParser()
        return lines.reduce(.more) { _, line in Array((line + "\r\n").utf8).withUnsafeBytes { parser.push($0) } }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK", 200, 1, 1), ("HTTP/1.0 404 Not Found", 404, 1, 0), ("HTTP/2 204", 204, 2, 0),
        ("HTTP/3 599 ", 599, 3, 0), ("HTTP/1.1  200", 200, 1, 1), ("HTTP/1.1 200 200 2", 200, 1, 1),
    ]) func readsStatusLines(_ line: String, _ status: Int, _ major: Int, _ minor: Int) {
        guard case .head(let head) = push([line, ""]) else { return #expect(Bool(false), "\(line)") }
        #expect(head.status == status)
        #expect(head.version == HTTPVersion(major: major, minor: minor))
    }

    @Test(arguments: [
        "HTTP/", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 OK", "HTTP/1.1 99", "HTTP/1.1 2000", "HTTP/1.1 20x", "HTTP/x 200",
        "HTTP/1. 200", "HTTP/.1 200", "HTTP/1.1 -200", "HTTP/1.1 +200", "HTTP/99999999999999999999 200", "HTTP/1.1200",
        "HTTP/1.1 99999999999999999999", "ICY 200 OK", ": x", "",
    ]) func refusesWhatIsNone(_ line: String) {
        guard case .failure = push([line]) else { return #expect(Bool(false), "\(line)") }
    }

    @Test func bytesThatAreNotUTF8AreReadAsLatin1() {
        var parser = ResponseHeadParser()
        _ = Array("HTTP/1.1 200 OK\r\n".utf8).withUnsafeBytes { parser.push($0) }
        _ = ([0x58, 0x3A, 0xE4, 0xFF] as [UInt8]).withUnsafeBytes { parser.push($0) }
        guard case .head(let head) = ([] as [UInt8]).withUnsafeBytes({ parser.push($0) }) else {
            return #expect(Bool(false))
        }
        #expect(head.headers["X"] == "äÿ")
    }
}
