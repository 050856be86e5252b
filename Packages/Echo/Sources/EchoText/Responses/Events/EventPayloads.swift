// SPDX-License-Identifier: MIT

/// An item begins, or is done.
package struct ItemEvent: Sendable, Hashable {
    /// The item: without its content when it begins, whole when it is done.
    package var item: ResponseItem
    /// The item's index in the answer's output.
    package var outputIndex: Int
}

/// A part of an item begins, or is done.
package struct PartEvent: Sendable, Hashable {
    /// The part.
    package var part: ContentPart
    /// The item's id.
    package var itemID: String
    /// The item's index in the answer's output.
    package var outputIndex: Int
    /// The part's index in the item's content, or in its summary.
    package var index: Int
    /// `incomplete` if the part was cut off.
    package var status: ItemStatus?
}

/// More of a text, or, in an event that ends in `done`, the whole of it.
package struct TextEvent: Sendable, Hashable {
    /// The new piece, or the whole text.
    package var text: String
    /// The item's id; empty where the API gives none.
    package var itemID: String
    /// The item's index in the answer's output.
    package var outputIndex: Int
    /// The index within the item: of the part of content or summary, or of the command; zero if there is only one.
    package var index: Int
    /// The log probability of each token, if requested.
    package var logprobs: [JSONValue]

    /// A text.
    package init(_ text: String, itemID: String = "", outputIndex: Int = 0, index: Int = 0, logprobs: [JSONValue] = [])
    {
        self.text = text
        self.itemID = itemID
        self.outputIndex = outputIndex
        self.index = index
        self.logprobs = logprobs
    }
}

/// A source or a file that the text refers to.
package struct AnnotationEvent: Sendable, Hashable {
    /// The annotation as the server describes it.
    package var annotation: JSONValue
    /// The annotation's index in the part.
    package var annotationIndex: Int
    /// The item's id.
    package var itemID: String
    /// The item's index in the answer's output.
    package var outputIndex: Int
    /// The part's index in the item's content.
    package var contentIndex: Int
}

/// A step of a tool that the server runs.
package struct ProgressEvent: Sendable, Hashable {
    /// The item's id.
    package var itemID: String
    /// The item's index in the answer's output.
    package var outputIndex: Int
    /// Further members, unchanged: a picture in progress, the output of a shell command.
    package var rest: JSONObject
}
