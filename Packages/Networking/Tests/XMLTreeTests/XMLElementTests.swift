// SPDX-License-Identifier: MIT

import Testing
import XMLTree

struct XMLElementTests {
    private func parse(_ text: String) throws -> XMLElement { try XMLElement.parse(Array(text.utf8)) }

    @Test func `elements have namespaces, attributes, text and order`() throws {
        let root = try parse(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <D:multistatus xmlns:D="DAV:" xmlns="urn:a"><D:response a="1" D:b="2 &amp; 3">x<b/>y</D:response>\
            <c><![CDATA[<&>]]> &#233;é</c><D:response/></D:multistatus>
            """)
        #expect(root.namespace == "DAV:" && root.name == "multistatus")
        #expect(root.children.map(\.name) == ["response", "c", "response"])
        let response = try #require(root.child("DAV:", "response"))
        #expect(response.attributes == ["a": "1", "DAV: b": "2 & 3"] && response.text == "xy")
        #expect(response.child("urn:a", "b") != nil && response.child("DAV:", "b") == nil)
        #expect(root.children("DAV:", "response").count == 2)
        #expect(root.child("urn:a", "c")?.text == "<&> éé")
    }

    @Test func `a document without a namespace has empty ones`() throws {
        let root = try parse("<a><b>1</b></a>")
        #expect(root.namespace.isEmpty && root.child("", "b")?.text == "1")
    }

    @Test(arguments: ["", "<a>", "<a></b>", "no", "<a/><b/>", "<a b=1/>", "<x:a/>", "<a>&x;</a>", "<a>\0</a>"])
    func `what is no XML is an error`(text: String) {
        #expect(throws: XMLError.self) { try parse(text) }
    }

    @Test func `a document type is refused, and so are its entities`() {
        let text = "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>"
        let error = #expect(throws: XMLError.self) { try parse(text) }
        #expect(error?.description.contains("type") == true)
    }

    @Test func `elements within each other have a limit`() throws {
        let (deep, limit) = (
            { (count: Int) in
                String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
            }, XMLElement.maximumDepth
        )
        #expect(try parse(deep(limit)).name == "a")
        #expect(throws: XMLError.self) { try parse(deep(limit + 1)) }
        #expect(throws: XMLError.self) { try parse(deep(100_000)) }
    }

    @Test func `a start of a document is no document`() {
        let text = "<a><b c=\"d\">e</b><!-- f --></a>"
        for count in 0..<text.utf8.count {
            #expect(throws: XMLError.self) { try parse(String(text.prefix(count))) }
        }
    }
}
