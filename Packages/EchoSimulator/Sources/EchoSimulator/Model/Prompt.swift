// SPDX-License-Identifier: MIT

import StructuredJSON

/// What a request asks for, whichever endpoint it came to.
struct Prompt: Sendable {
    /// A function that may be called.
    struct Tool: Sendable {
        let name: String
        let parameters: JSONValue?
    }

    enum ToolChoice: Sendable, Hashable {
        case automatic
        case none
        case required
        case named(String)
    }

    enum Format: Sendable, Hashable {
        case text
        case jsonObject
        case schema(JSONValue)
    }

    /// What was said by the user, in order.
    var userTexts: [String] = []
    /// What tools answered since the last message, in order, with their names.
    var toolOutputs: [(name: String, output: String)] = []
    var tools: [Tool] = []
    var toolChoice = ToolChoice.automatic
    var allowsParallelCalls = true
    var format = Format.text
    /// The most tokens of the answer.
    var maximumTokens: Int?
    /// True if the model thinks visibly, and whether it sums that up.
    var reasons = false
    var summarisesReasoning = false
    var encryptsReasoning = false
    /// How long the input is, in tokens.
    var inputTokens = 0
    /// How many of them were in the cache.
    var cachedTokens = 0
}

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
