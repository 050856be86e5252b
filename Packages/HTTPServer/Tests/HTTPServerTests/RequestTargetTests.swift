// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPServer

@Suite struct RequestTargetTests {
    private func read(_ text: String) -> RequestTarget? { try? RequestTarget(text.utf8) }

    @Test func decodesPathAndQueryOnce() throws {
        let target = try #require(read("/a%20b/%C3%A4%2541?x=1&y=a+b%26&x=2&flag&=v"))
        #expect(target.path == ["a b", "ä%41"])
        #expect(target.query.values(for: "x") == ["1", "2"])
        #expect(target.query["y"] == "a b&")
        #expect(target.query["flag"] == "")
        #expect(target.query[""] == "v")
    }

    @Test func knowsAllForms() {
        #expect(read("/")?.path == [])
        #expect(read("/a/")?.path == ["a", ""])
        #expect(read("//a")?.path == ["", "a"])
        #expect(read("*")?.isAsterisk == true)
        #expect(read("http://example.org:80/a?b=c")?.path == ["a"])
        #expect(read("HTTPS://[::1]")?.path == [])
        #expect(read("http://example.org?b=c")?.query["b"] == "c")
        #expect(read("http://example.org:80/a")?.authority == "example.org:80")
    }

    @Test(
        arguments: [
            "", "a", "example.org:443", "/..", "/a/../b", "/a/./b", "/%2e%2E/b", "/a%2Fb", "/a%5cb", "/a\\b", "/%00",
            "/a%0d%0ab", "/%7f", "/%", "/%4", "/%zz", "/%ff", "/a#b", "/ä", "/a b", "/?%", "/?a=%00", "/?a=%ff",
            "http:///a", "http://user@host/", "ftp://host/a", "http://ho st/", "http://[::1/a", "http://h:123456/",
        ])
    func refusesWhatIsNotPlain(_ text: String) {
        #expect(read(text) == nil)
    }
}
