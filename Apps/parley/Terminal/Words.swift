// SPDX-License-Identifier: MIT

extension String {
    /// The text without whitespace and line ends at both ends.
    var trimmingWhitespace: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

extension Int {
    /// The number with a noun: "1 day", "2 days".
    func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
