// SPDX-License-Identifier: MIT

/// Swift source whose comments and string literals are blanked, so that a rule about code sees code only.
struct SwiftCode {
    /// The lines of the source; what was comment or string is spaces.
    let lines: [String]

    init(_ source: String) {
        var scanner = Scanner(bytes: Array(source.utf8))
        scanner.run()
        lines = scanner.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Walks once over the bytes. Interpolations count as part of their string.
    private struct Scanner {
        var bytes: [UInt8]
        private var index = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func run() {
            while index < bytes.count {
                if starts(with: "//") {
                    blank { $0.bytes[$0.index] == UInt8(ascii: "\n") }
                } else if starts(with: "/*") {
                    blankBlockComment()
                } else if let hashes = hashesBeforeQuote() {
                    blankString(hashes: hashes)
                } else {
                    index += 1
                }
            }
        }

        private func starts(with text: StaticString, at offset: Int = 0) -> Bool {
            let start = index + offset
            let count = text.utf8CodeUnitCount
            guard start + count <= bytes.count else { return false }
            return text.withUTF8Buffer { bytes[start..<start + count].elementsEqual($0) }
        }

        private mutating func skip(_ count: Int) {
            for _ in 0..<count where index < bytes.count {
                if bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
                index += 1
            }
        }

        private mutating func blank(until ends: (Self) -> Bool) {
            while index < bytes.count, !ends(self) { skip(1) }
        }

        private mutating func blankBlockComment() {
            var depth = 0
            repeat {
                if starts(with: "/*") {
                    depth += 1
                    skip(2)
                } else if starts(with: "*/") {
                    depth -= 1
                    skip(2)
                } else {
                    skip(1)
                }
            } while depth > 0 && index < bytes.count
        }

        /// The number of `#` when a string literal starts here.
        private func hashesBeforeQuote() -> Int? {
            var hashes = 0
            while index + hashes < bytes.count, bytes[index + hashes] == UInt8(ascii: "#") { hashes += 1 }
            return starts(with: "\"", at: hashes) ? hashes : nil
        }

        private func hashesFollow(at offset: Int, count: Int) -> Bool {
            let start = index + offset
            return start + count <= bytes.count && bytes[start..<start + count].allSatisfy { $0 == UInt8(ascii: "#") }
        }

        private mutating func blankString(hashes: Int) {
            skip(hashes)
            let quotes = starts(with: "\"\"\"") ? 3 : 1
            skip(quotes)
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "\\"), hashesFollow(at: 1, count: hashes) {
                    let isInterpolation = starts(with: "(", at: 1 + hashes)
                    skip(2 + hashes)
                    if isInterpolation { blankInterpolation() }
                } else if starts(with: "\"\"\"") || quotes == 1 && starts(with: "\"") {
                    if hashesFollow(at: quotes, count: hashes) {
                        skip(quotes + hashes)
                        return
                    }
                    skip(1)
                } else if quotes == 1, bytes[index] == UInt8(ascii: "\n") {
                    return
                } else {
                    skip(1)
                }
            }
        }

        private mutating func blankInterpolation() {
            var depth = 1
            while index < bytes.count, depth > 0 {
                if let hashes = hashesBeforeQuote() {
                    blankString(hashes: hashes)
                } else {
                    if bytes[index] == UInt8(ascii: "(") { depth += 1 }
                    if bytes[index] == UInt8(ascii: ")") { depth -= 1 }
                    skip(1)
                }
            }
        }
    }
}
