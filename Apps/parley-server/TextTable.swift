// SPDX-License-Identifier: MIT

/// A table for a terminal: columns as wide as their widest cell, a header above them.
struct TextTable {
    private let header: [String]
    private var rows: [[String]] = []

    init(_ header: String...) { self.header = header }

    /// Adds a row; a nil cell is shown as a dash.
    mutating func add(_ cells: String?...) { rows.append(cells.map { $0 ?? "-" }) }

    var text: String {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
