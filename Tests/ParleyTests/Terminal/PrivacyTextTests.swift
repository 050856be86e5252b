// SPDX-License-Identifier: MIT

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
        #expect(!PrivacyText.plain.contains("`") && !PrivacyText.plain.contains("#"))
    }
}
