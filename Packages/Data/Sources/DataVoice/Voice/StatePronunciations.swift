// SPDX-License-Identifier: MIT

/// Pronunciations that the English dictionary lacks, in its own phones (CMU's ARPAbet without stress).
enum StatePronunciations {
    static let phones: [String: [String]] = [
        "arbutus": ["AA R B Y UW T AH S"],
        "camellia": ["K AH M IY L Y AH", "K AH M IY L IY AH"],
        "chickadee": ["CH IH K AH D IY"],
        "hibiscus": ["HH AY B IH S K AH S", "HH IH B IH S K AH S"],
        "pasqueflower": ["P AE S K F L AW ER"],
        "ptarmigan": ["T AA R M IH G AH N"],
        "ruffed": ["R AH F T"],
        "syringa": ["S ER IH NG G AH", "S IH R IH NG G AH"],
        "yellowhammer": ["Y EH L OW HH AE M ER"],
    ]
}
