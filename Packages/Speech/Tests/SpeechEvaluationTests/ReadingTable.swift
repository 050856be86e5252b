// SPDX-License-Identifier: MIT

/// Texts, each with a word of it and one that sounds like that word.
enum ReadingTable {
    struct Row {
        let text: String
        let word: String
        let similar: String
    }

    /// How words that sound alike are weighed was chosen with the first six rows in view, the rest with other texts.
    static let rows = [
        Row(text: "The baker opens his shop long before the sun comes up", word: "shop", similar: "chop"),
        Row(text: "There is a narrow path that leads down to the beach", word: "path", similar: "bath"),
        Row(text: "She sold her bicycle and bought a second hand car", word: "hand", similar: "sand"),
        Row(text: "The farmer carried a heavy sack of corn to the mill", word: "sack", similar: "sock"),
        Row(text: "You can see the whole city from the top of the hill", word: "city", similar: "pity"),
        Row(text: "The meeting was moved to Friday because of the storm", word: "storm", similar: "store"),
        Row(text: "He has a habit of reading the paper during breakfast", word: "paper", similar: "pepper"),
        Row(text: "The cook added a pinch of salt to the boiling soup", word: "soup", similar: "suit"),
        Row(text: "Children learn new words faster than most adults do", word: "words", similar: "birds"),
        Row(text: "The museum is closed on Monday but open at the weekend", word: "open", similar: "oven"),
        Row(text: "A cold wind blew across the empty field all night", word: "wind", similar: "wing"),
        Row(text: "My grandmother tells the best stories about her village", word: "best", similar: "vest"),
        Row(text: "The nurse gave him a glass of milk and a blanket", word: "glass", similar: "class"),
        Row(text: "Some of the players were too tired to finish the game", word: "game", similar: "name"),
        Row(text: "We left our boots by the door and hung up our coats", word: "boots", similar: "roots"),
        Row(text: "The pilot saw the lights of the harbour through the fog", word: "fog", similar: "frog"),
    ]

    static let addedWords = [
        "very", "really", "old", "always", "never", "then", "big", "just", "again", "also", "little", "maybe",
    ]
}
