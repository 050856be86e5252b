// SPDX-License-Identifier: MIT

extension MessageRole: CustomStringConvertible {
    /// The API's word: "user", "assistant".
    public var description: String { rawValue }
}
