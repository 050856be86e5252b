// SPDX-License-Identifier: MIT

/// About four bytes a token, as English has.
enum TokenEstimate {
    static func tokens(in text: String) -> Int { (text.utf8.count + 3) / 4 }

    /// As much of the text as these tokens hold.
    static func prefix(of text: String, tokens: Int) -> String {
        var prefix = ""
        var size = 0
        for character in text {
            size += character.utf8.count
            if size > tokens * 4 { break }
            prefix.append(character)
        }
        return prefix
    }
}
