// SPDX-License-Identifier: MIT

/// Cuts a text into the pieces that a stream has.
enum TextChunks {
    /// Pieces of so many characters; without a size words, each with the white space before it.
    static func split(_ text: String, size: Int?) -> [String] {
        var pieces: [String] = []
        var piece = ""
        var hasWord = false
        var count = 0
        for character in text {
            let isEnd = size.map { count >= $0 } ?? (hasWord && character.isWhitespace)
            if isEnd, !piece.isEmpty {
                pieces.append(piece)
                (piece, hasWord, count) = ("", false, 0)
            }
            piece.append(character)
            count += 1
            hasWord = hasWord || !character.isWhitespace
        }
        return piece.isEmpty ? pieces : pieces + [piece]
    }
}
