// SPDX-License-Identifier: MIT

/// Word sequences that together mean something else than their words.
enum IdiomTable {
    /// Sequences and the role that each of their words gets.
    static let idioms: [(words: [String], role: WordRole)] = table.map {
        ($0.0.split(separator: " ").map(String.init), $0.1)
    }

    private static let table: [(String, WordRole)] = [
        ("as the crow flies", .function), ("crow flies", .function), ("where on earth", .place),
        ("where in the world", .place), ("where in the country", .place), ("part of the country", .place),
        ("center point", .topic(.location)), ("centre point", .topic(.location)),
        ("central point", .topic(.location)), ("middle point", .topic(.location)),
        ("how about", .overview), ("a second", .function), ("one second", .function), ("second question", .function),
        ("one more time", .function), ("at the same time", .function), ("next question", .function),
        ("first question", .function), ("last question", .function), ("third question", .function),
        ("first thing", .function), ("last thing", .function), ("first of all", .function), ("first off", .function),
        ("first up", .function), ("next up", .function), ("at first", .function), ("at last", .function),
        ("not the country", .function), ("not the city", .function), ("no idea", .function), ("no clue", .function),
        ("not sure", .function), ("not certain", .function),
        ("not know", .function), ("not remember", .function), ("not recall", .function), ("not exactly", .function),
        ("many thanks", .function), ("social studies", .context), ("trivia time", .context), ("quiz time", .context),
        ("game time", .context), ("air distance", .distance),
        ("air miles", .distance), ("year old", .context), ("years old", .context),
        ("i mean", .function), ("what i mean", .function), ("no rush", .context), ("state house", .topic(.capital)),
        ("state houses", .topic(.capital)), ("i live", .context), ("we live", .context),
        ("who lives", .refused(.unrelated)),
        ("feathered friend", .topic(.bird)), ("feathered symbol", .topic(.bird)), ("feathered emblem", .topic(.bird)),
        ("winged symbol", .topic(.bird)), ("winged emblem", .topic(.bird)),
        ("state capitol building", .topic(.capital)),
        ("long ago", .time), ("how long", .time), ("you guys", .function), ("road trip", .context),
        ("administrative center", .topic(.capital)),
        ("administrative centre", .topic(.capital)), ("administrative capital", .topic(.capital)),
        ("main seat", .seat), ("urban center", .city), ("urban centre", .city), ("number one", .largest),
        ("home to", .function), ("home state", .state), ("the other", .function), ("have on", .overview),
        ("got on", .overview), ("teach me", .overview), ("teach us", .overview), ("known for", .refused(.unknownFact)),
        ("famous for", .refused(.unknownFact)),
        ("hit me with", .function), ("point me to", .function), ("so much", .function), ("fill me in", .overview),
        ("fill us in", .overview),
        ("lies about", .refused(.instruction)), ("a lie", .refused(.instruction)),
        ("tell me that", .refused(.instruction)), ("i pick", .refused(.unrelated)), ("you pick", .refused(.unrelated)),
        ("time zone", .refused(.unknownFact)),
    ]
}
