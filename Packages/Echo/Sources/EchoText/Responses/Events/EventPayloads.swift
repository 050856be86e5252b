// SPDX-License-Identifier: MIT

/// `response.created` and the other events that report the state of the whole answer.
public struct ResponseEvent: Sendable, Hashable {
    /// The answer in its present state.
    public var response: Response
    /// The event's sequence number.
    public var sequenceNumber: Int?

    /// An event.
    public init(response: Response, sequenceNumber: Int? = nil) {
        self.response = response
        self.sequenceNumber = sequenceNumber
    }
}

/// An item begins, or is done.
public struct ItemEvent: Sendable, Hashable {
    /// The item: without its content when it begins, whole when it is done.
    public var item: ResponseItem
    /// The item's index in the answer's output.
    public var outputIndex: Int
    /// The event's sequence number.
    public var sequenceNumber: Int?

    /// An event.
    public init(item: ResponseItem, outputIndex: Int, sequenceNumber: Int? = nil) {
        self.item = item
        self.outputIndex = outputIndex
        self.sequenceNumber = sequenceNumber
    }
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
    /// The event's sequence number.
    public var sequenceNumber: Int?

    /// An event.
    public init(
        part: ContentPart, itemID: String, outputIndex: Int, index: Int, status: ItemStatus? = nil,
        sequenceNumber: Int? = nil
    ) {
        self.part = part
        self.itemID = itemID
        self.outputIndex = outputIndex
        self.index = index
        self.status = status
        self.sequenceNumber = sequenceNumber
    }
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
    /// The event's sequence number.
    public var sequenceNumber: Int?

    /// An event.
    public init(
        text: String, itemID: String, outputIndex: Int, index: Int = 0, logprobs: [JSONValue] = [],
        sequenceNumber: Int? = nil
    ) {
        self.text = text
        self.itemID = itemID
        self.outputIndex = outputIndex
        self.index = index
        self.logprobs = logprobs
        self.sequenceNumber = sequenceNumber
    }
}

/// A step of a tool that the server runs.
public struct ProgressEvent: Sendable, Hashable {
    /// The item's id.
    public var itemID: String
    /// The item's index in the answer's output.
    public var outputIndex: Int
    /// The event's sequence number.
    public var sequenceNumber: Int?

    /// An event.
    public init(itemID: String, outputIndex: Int, sequenceNumber: Int? = nil) {
        self.itemID = itemID
        self.outputIndex = outputIndex
        self.sequenceNumber = sequenceNumber
    }
}
