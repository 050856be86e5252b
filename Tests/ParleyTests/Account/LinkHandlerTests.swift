// SPDX-License-Identifier: MIT

import Testing

@testable import parley

@Suite struct LinkHandlerTests {
    /// By the Desktop Entry Specification: first the quotes of `Exec`, then the escapes of every value.
    @Test(arguments: [
        ("/usr/bin/parley", #""/usr/bin/parley""#), ("/a b/parley", #""/a b/parley""#), ("/a$b", #""/a\\$b""#),
        (#"/a"b"#, #""/a\\"b""#), (#"/a\b"#, #""/a\\\\b""#), ("/50%", #""/50%%""#), ("/a`b", #""/a\\`b""#),
    ])
    func wordsAreQuotedAsTheSpecificationHasIt(_ word: String, _ expected: String) {
        #expect(LinkHandler.text([word, "verify"]).contains("Exec=\(expected) \"verify\" %u\n"))
    }
}
