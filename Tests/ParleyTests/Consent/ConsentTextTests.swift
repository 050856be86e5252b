// SPDX-License-Identifier: MIT

import Domain
import Foundation
import Testing

@testable import parley

@Suite struct ConsentTextTests {
    @Test(arguments: [("yes", UploadAnswer.yes), (" YES \r", .yes), ("no", .no), ("later", .later)])
    func `a whole word is an answer`(_ line: String, _ answer: UploadAnswer) {
        #expect(UploadAnswer(line) == answer)
    }

    @Test(arguments: ["", "y", "n", "yesterday", "nobody", "yes no", "ye s", "1"])
    func `anything else is none`(_ line: String) {
        #expect(UploadAnswer(line) == nil)
    }

    @Test func `putting off stores nothing`() {
        #expect(UploadAnswer.later.decision == nil)
        #expect(UploadAnswer.yes.decision == .given)
        #expect(UploadAnswer.no.decision == .declined)
    }

    @Test func `the text names the server and its time`() {
        let text = ConsentText(server: "https://a.example", days: 365).lines.map(\.english).joined(separator: "\n")
        #expect(text.contains("https://a.example") && text.contains("after 365 days"))
        #expect(
            ConsentText(server: "https://a.example", days: nil).lines.map(\.english).joined().contains("names no time"))
        #expect(!ConsentText(server: "https://a\u{1B}[2J", days: nil).lines.map(\.english).joined().contains("\u{1B}"))
    }

    /// A change of the words raises the version, and then the hash.
    @Test func `the text is the one of its version`() {
        let text = ConsentText(server: "S", days: nil).lines.map(\.english).joined(separator: "\n")
        let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        #expect(UploadConsent.currentTextVersion == 1 && hash == Self.hashOfVersion1, "\(hash)")
    }

    private static let hashOfVersion1: UInt64 = 0x10487F2F8654F727
}
