// SPDX-License-Identifier: MIT

import TerminalKit

/// A report for an operator's terminal: columns as wide as their widest cell, a header above them. No cell drives the
/// terminal, or changes the direction of its text.
struct ReportTable {
    private var rows: [[String]]

    init(_ header: String...) { rows = [header] }

    /// Adds a row; a nil cell is shown as a dash.
    mutating func add(_ cells: String?...) { rows.append(cells.map { ($0 ?? "-").printable }) }

    var text: String { TextTable(rows, gap: 2).lines().map { $0 + "\n" }.joined() }
}
