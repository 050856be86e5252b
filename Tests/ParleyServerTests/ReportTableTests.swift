// SPDX-License-Identifier: MIT

import Testing

@testable import parley_server

@Suite struct ReportTableTests {
    @Test func `columns are as wide as their widest cell`() {
        var table = ReportTable("ID", "DEVICE")
        table.add("1", "東京")
        table.add("22", nil)
        #expect(table.text == "ID  DEVICE\n1   東京\n22  -\n")
    }

    @Test func `no cell drives the operator's terminal`() {
        var table = ReportTable("DEVICE", "ID")
        table.add("a\u{1B}[2Jb\u{202E}c\nd", "1")
        #expect(table.text == "DEVICE     ID\na [2Jbc d  1\n")
    }
}
