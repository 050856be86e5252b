// SPDX-License-Identifier: MIT

/// Words and names that are spelt nearly like a known one and are never read as a misspelling of it.
enum OtherWordTable {
    static let words: StaticString = """
        main
        """
}
