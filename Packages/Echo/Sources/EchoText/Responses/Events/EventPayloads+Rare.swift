// SPDX-License-Identifier: MIT

/// More sound (base64), or more of its transcript; empty in the events that end them.
public struct SoundEvent: Sendable, Hashable {
    /// Base64, or text; empty at the end.
    public var delta: String
    /// The event's sequence number.
    public var sequenceNumber: Int?

    /// An event.
    public init(delta: String = "", sequenceNumber: Int? = nil) {
        self.delta = delta
        self.sequenceNumber = sequenceNumber
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
    /// The event's sequence number.
    public var sequenceNumber: Int?

    /// An event.
    public init(
        annotation: JSONValue, annotationIndex: Int, itemID: String, outputIndex: Int, contentIndex: Int,
        sequenceNumber: Int? = nil
    ) {
        self.annotation = annotation
        self.annotationIndex = annotationIndex
        self.itemID = itemID
        self.outputIndex = outputIndex
        self.contentIndex = contentIndex
        self.sequenceNumber = sequenceNumber
    }
}

/// A picture in progress.
public struct PartialImageEvent: Sendable, Hashable {
    /// The picture, in base64.
    public var base64: String
    /// The index of this partial picture.
    public var partialIndex: Int
    /// The item's id.
    public var itemID: String
    /// The item's index in the answer's output.
    public var outputIndex: Int
    /// Further members: `background`, `output_format`, `quality`, `size`.
    public var rest: JSONObject
    /// The event's sequence number.
    public var sequenceNumber: Int?

    /// An event.
    public init(
        base64: String, partialIndex: Int, itemID: String, outputIndex: Int, rest: JSONObject = [:],
        sequenceNumber: Int? = nil
    ) {
        self.base64 = base64
        self.partialIndex = partialIndex
        self.itemID = itemID
        self.outputIndex = outputIndex
        self.rest = rest
        self.sequenceNumber = sequenceNumber
    }
}

/// The output of a shell command: a piece, or all of it.
public struct ShellOutputEvent: Sendable, Hashable {
    /// `stdout` and `stderr`: one object for a piece, a list of objects at the end.
    public var output: JSONValue
    /// The index of the item's command.
    public var commandIndex: Int
    /// The item's id.
    public var itemID: String
    /// The item's index in the answer's output.
    public var outputIndex: Int
    /// The event's sequence number.
    public var sequenceNumber: Int?

    /// An event.
    public init(output: JSONValue, commandIndex: Int, itemID: String, outputIndex: Int, sequenceNumber: Int? = nil) {
        self.output = output
        self.commandIndex = commandIndex
        self.itemID = itemID
        self.outputIndex = outputIndex
        self.sequenceNumber = sequenceNumber
    }
}

/// The stream has failed.
public struct ErrorEvent: Sendable, Hashable {
    /// The server's description.
    public var failure: APIFailure
    /// The event's sequence number.
    public var sequenceNumber: Int?

    /// An event.
    public init(failure: APIFailure, sequenceNumber: Int? = nil) {
        self.failure = failure
        self.sequenceNumber = sequenceNumber
    }
}
