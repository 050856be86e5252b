// SPDX-License-Identifier: MIT

/// Counts the tokens of a text without the model's tokenizer: never fewer than there are in plain text.
struct TokenEstimator: Sendable {
    func tokens(in text: String) -> Int { text.utf8.count }
}
