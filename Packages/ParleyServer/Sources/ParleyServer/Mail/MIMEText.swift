// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Text in a mail (RFC 2045, RFC 2047): as it is where every mail server carries that, else in base 64.
enum MIMEText {
    /// The most bytes of a line (RFC 5322 §2.1.1).
    private static let lineLimit = 998
    /// The most bytes of text in an encoded word, which has 75 characters at most (RFC 2047 §2).
    private static let wordLimit = 45

    /// The value of a header's field.
    static func header(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), !text.contains("=?") { return text }
        var (words, word) = ([String](), "")
        for character in text {
            if !word.isEmpty, word.utf8.count + character.utf8.count > wordLimit {
                words.append(word)
                word = ""
            }
            word.append(character)
        }
        return (words + [word]).map { "=?UTF-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    /// The lines of a part: header, an empty line, content.
    ///
    /// - Parameter text: Lines that end with a line feed.
    static func part(_ text: String, type: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let isPlain = lines.allSatisfy { line in
            line.utf8.count <= lineLimit && line.utf8.allSatisfy { $0 == 9 || (0x20...0x7E).contains($0) }
        }
        if isPlain {
            return ["Content-Type: \(type); charset=us-ascii", "Content-Transfer-Encoding: 7bit", ""] + lines
        }
        let encoded = Data(lines.joined(separator: "\r\n").utf8).base64EncodedString()
        var (rest, pieces) = (encoded[...], [String]())
        while !rest.isEmpty {
            pieces.append(String(rest.prefix(76)))
            rest = rest.dropFirst(76)
        }
        return ["Content-Type: \(type); charset=utf-8", "Content-Transfer-Encoding: base64", ""] + pieces + [""]
    }
}
