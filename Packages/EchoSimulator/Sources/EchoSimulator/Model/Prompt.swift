// SPDX-License-Identifier: MIT

import StructuredJSON

/// The input and options of a request, for all endpoints alike.
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

    /// The user's texts, in order.
    var userTexts: [String] = []
    /// The pictures and files that came with the user's texts since the last answer, in words.
    var attachments: [String] = []
    /// The outputs of tools since the last message, in order, with the tools' names.
    var toolOutputs: [(name: String, output: String)] = []
    var tools: [Tool] = []
    var toolChoice = ToolChoice.automatic
    var allowsParallelCalls = true
    var format = Format.text
    /// The most tokens of the answer.
    var maximumTokens: Int?
    /// True if the model thinks visibly.
    var reasons = false
    var summarisesReasoning = false
    var encryptsReasoning = false
    /// The length of the input, in tokens.
    var inputTokens = 0
    /// The input tokens that were in the cache.
    var cachedTokens = 0
}

/// About four bytes a token, as English has.
enum TokenEstimate {
    static func tokens(in text: String) -> Int { (text.utf8.count + 3) / 4 }

    /// The prefix of the text that these tokens hold.
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
