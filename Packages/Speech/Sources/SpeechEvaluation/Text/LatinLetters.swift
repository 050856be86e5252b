// SPDX-License-Identifier: MIT

/// Latin letters without their accents, and one apostrophe for all that look like one.
enum LatinLetters {
    private static let table: [Character: String] = {
        var table: [Character: String] = [
            "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "þ": "th", "ð": "d",
        ]
        let accented: [(String, String)] = [
            ("àáâãäåāăą", "a"), ("çćčĉċ", "c"), ("ďđ", "d"), ("èéêëēĕėęě", "e"), ("ĝğġģ", "g"), ("ĥħ", "h"),
            ("ìíîïĩīĭį", "i"),
            ("ĵ", "j"), ("ķ", "k"), ("ĺļľ", "l"), ("ñńņň", "n"), ("òóôõöōŏő", "o"), ("ŕŗř", "r"), ("śŝşšș", "s"),
            ("ţťŧț", "t"), ("ùúûüũūŭůűų", "u"), ("ŵ", "w"), ("ýÿŷ", "y"), ("źżž", "z"), ("’‘ʼ＇`´", "'"),
        ]
        for (letters, plain) in accented { for letter in letters { table[letter] = plain } }
        return table
    }()

    /// The character, or what stands for it.
    static func plain(_ character: Character) -> [Character] {
        if character.isASCII { return [character] }
        return table[character].map(Array.init) ?? [character]
    }
}
