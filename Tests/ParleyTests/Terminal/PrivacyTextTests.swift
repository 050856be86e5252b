// SPDX-License-Identifier: MIT

import Domain
import Foundation
import Testing

@testable import parley

@Suite struct PrivacyTextTests {
    @Test func `the page and the command say the same`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/privacy.md"), encoding: .utf8)
        #expect(page == PrivacyText.markdown, "Write it anew: parley privacy --json has the text.")
    }

    @Test func `the terminal's text has no marks of Markdown`() {
        let plain = PrivacyText.plain(isTranslated: false) { $0.english }
        #expect(!plain.contains("`") && !plain.contains("#"))
    }

    @Test func `a translation names the text that holds`() {
        let german = PrivacyText.plain(isTranslated: true) { $0.english }
        #expect(german.hasSuffix("the English text holds: PARLEY_LANGUAGE=en parley privacy\n"))
    }
}
