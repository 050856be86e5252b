// SPDX-License-Identifier: MIT

/// An item begins, or is done.
public struct ItemEvent: Sendable, Hashable {
    /// The item: without its content when it begins, whole when it is done.
    public var item: ResponseItem
    /// The item's index in the answer's output.
    public var outputIndex: Int
}

/// A part of an item begins, or is done.
public struct PartEvent: Sendable, Hashable {
    /// The part.
    public var part: ContentPart
    /// The item's id.
    public var itemID: String
    /// The item's index in the answer's output.
    public var outputIndex: Int
    /// The part's index in the item's content, or in its summary.
    public var index: Int
    /// `incomplete` if the part was cut off.
    public var status: ItemStatus?
}

/// More of a text, or, in an event that ends in `done`, the whole of it.
public struct TextEvent: Sendable, Hashable {
    /// The new piece, or the whole text.
    public var text: String
    /// The item's id; empty where the API gives none.
    public var itemID: String
    /// The item's index in the answer's output.
    public var outputIndex: Int
    /// The index within the item: of the part of content or summary, or of the command; zero if there is only one.
    public var index: Int
    /// The log probability of each token, if requested.
    public var logprobs: [JSONValue]

    /// A text.
    public init(_ text: String, itemID: String = "", outputIndex: Int = 0, index: Int = 0, logprobs: [JSONValue] = []) {
        self.text = text
        self.itemID = itemID
        self.outputIndex = outputIndex
        self.index = index
        self.logprobs = logprobs
    }
}

/// A source or a file that the text refers to.
public struct AnnotationEvent: Sendable, Hashable {
    /// The annotation as the server describes it.
    public var annotation: JSONValue
    /// The annotation's index in the part.
    public var annotationIndex: Int
    /// The item's id.
    public var itemID: String
    /// The item's index in the answer's output.
    public var outputIndex: Int
    /// The part's index in the item's content.
    public var contentIndex: Int
}

/// A step of a tool that the server runs.
public struct ProgressEvent: Sendable, Hashable {
    /// The item's id.
    public var itemID: String
    /// The item's index in the answer's output.
    public var outputIndex: Int
    /// Further members, unchanged: a picture in progress, the output of a shell command.
    public var rest: JSONObject
}
