// SPDX-License-Identifier: MIT

/// What of a message can stand in arguments: what is quoted, names, numbers.
struct SampleWords {
    private let message: String
    private var texts: [String]
    private var numbers: [Double]

    init(_ message: String) {
        self.message = message.lowercased()
        let words = message.split { $0.isWhitespace || $0 == "," }.map { word in
            String(
                word.drop { !$0.isLetter && !$0.isNumber }.reversed().drop { !$0.isLetter && !$0.isNumber }.reversed())
        }
        let quoted = message.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 && !$0.element.isEmpty }.map { String($0.element) }
        let names = words.dropFirst().filter { $0.first?.isUppercase ?? false }
        texts = quoted.isEmpty ? Array(names) : quoted
        numbers = words.compactMap(Double.init).filter(\.isFinite)
    }

    /// The next text, if there is one.
    mutating func next() -> String? { texts.isEmpty ? nil : texts.removeFirst() }

    /// The next number, if there is one.
    mutating func number() -> Double? { numbers.isEmpty ? nil : numbers.removeFirst() }

    func mentions(_ word: String) -> Bool { !word.isEmpty && message.contains(word.lowercased()) }
}
