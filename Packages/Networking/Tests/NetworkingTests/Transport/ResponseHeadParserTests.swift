// SPDX-License-Identifier: MIT

import Testing

@testable import Networking

/// What a response's header is made of, line by line.
struct ResponseHeadParserTests {
    /// Feeds a parser line by line, as libcurl does.
    private func events(_ text: String, maximumSize: Int = 1 << 10) -> [ResponseHeadParser.Event] {
        var parser = ResponseHeadParser(maximumSize: maximumSize)
        var rest = Array(text.utf8)[...]
        var events: [ResponseHeadParser.Event] = []
        while let end = rest.firstIndex(of: 10) {
            events.append(Array(rest[...end]).withUnsafeBytes { parser.push($0) })
            rest = rest[(end + 1)...]
        }
        return events
    }

    private func finalHead(_ text: String) -> ResponseHead? {
        events(text).compactMap { if case .head(let head) = $0 { head } else { nil } }.first
    }

    private func failure(_ text: String, maximumSize: Int = 1 << 10) -> String? {
        events(text, maximumSize: maximumSize)
            .compactMap { event in
                switch event {
                case .failure(let message): message
                case .tooLarge: "too large"
                default: nil
                }
            }.first
    }

    @Test func fieldsKeepTheirOrderAndNumber() throws {
        let head = try #require(
            finalHead("HTTP/1.1 200 OK\r\nSet-Cookie: a=1, b\r\nX:\r\nset-cookie:b=2\r\nY : \t z \t\r\n\r\n"))
        #expect(head.status == 200)
        #expect(head.version == .http11)
        #expect(head.headers.values(for: "Set-Cookie") == ["a=1, b", "b=2"])
        #expect(head.headers.map(\.name) == ["Set-Cookie", "X", "set-cookie", "Y"])
        #expect(head.headers["Y"] == "z")
        #expect(head.headers["X"] == "")
    }

    @Test func foldedLinesAreOne() throws {
        let head = try #require(finalHead("HTTP/1.1 200 OK\r\nA: one\r\n  two\r\n\tthree\r\nB: x\r\n\r\n"))
        #expect(head.headers == ["A": "one two three", "B": "x"])
    }

    @Test func interimResponsesComeBeforeTheFinalOne() {
        let text =
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
            + "HTTP/1.1 103 Early Hints\r\nLink: </b>\r\n\r\nHTTP/1.1 204 No Content\r\nA: b\r\n\r\n"
        let statuses = events(text).compactMap { if case .interim(let status) = $0 { status } else { nil } }
        #expect(statuses == [100, 103, 103])
        #expect(finalHead(text)?.status == 204)
        #expect(finalHead(text)?.headers == ["A": "b"])
    }

    @Test func trailersFollowTheBody() {
        let events = events("HTTP/1.1 200 OK\r\n\r\nA: b\r\nHTTP/1.1: x\r\n\r\n")
        let trailers = events.compactMap { if case .trailer(let field) = $0 { field } else { nil } }
        #expect(trailers == [.init(name: "A", value: "b"), .init(name: "HTTP/1.1", value: "x")])
    }

    @Test(arguments: [
        "A: b\r\n", "HTTP/1.1\r\n", "HTTP/1.1 20\r\n", "HTTP/1.1 abc\r\n", "HTTP/x 200\r\n", "HTTP/1.1 1000 x\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n", "HTTP/1.1 200 OK\r\n: no name\r\n", "HTTP/1.1 200 OK\r\n : b\r\n: c\r\n",
        "HTTP/1.1 200 OK\r\nHTTP/1.1 404 Not Found\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
    ])
    func whatIsNotHTTPFails(text: String) {
        #expect(failure(text) != nil)
    }

    @Test func theLimitIsOnAllInterimResponsesTogether() {
        let status = "HTTP/1.1 200 OK\r\n"
        #expect(
            failure(
                status + "A: \(String(repeating: "b", count: 100 - status.utf8.count - 5 - 2))\r\n\r\n",
                maximumSize: 100) == nil)
        #expect(
            failure(
                status + "A: \(String(repeating: "b", count: 100 - status.utf8.count - 5 - 1))\r\n\r\n",
                maximumSize: 100) != nil)
        let interim = String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 5)
        #expect(failure(interim + status + "\r\n", maximumSize: 100) != nil)
        // What the header took is not the trailer's.
        let long = status + "A: \(String(repeating: "b", count: 70))\r\n\r\n"
        #expect(failure(long + "B: \(String(repeating: "c", count: 70))\r\n\r\n", maximumSize: 100) == nil)
        #expect(failure(long + "B: \(String(repeating: "c", count: 100))\r\n\r\n", maximumSize: 100) != nil)
    }
}
