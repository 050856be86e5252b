// SPDX-License-Identifier: MIT

/// One event of an answer's stream: its kind, its number, and its values in one of nine shapes.
///
/// ```swift
/// for try await event in stream {
///     if event.kind == .outputTextDelta, case .text(let piece) = event.detail { show(piece.text) }
/// }
/// ```
package struct ResponseStreamEvent: Sendable, Hashable {
    /// The values of an event, by shape.
    package indirect enum Detail: Sendable, Hashable {
        /// The whole answer in its present state.
        case response(Response)
        /// An item that begins or is done.
        case item(ItemEvent)
        /// A part of an item that begins or is done.
        case part(PartEvent)
        /// A piece of a text, or the whole of it.
        case text(TextEvent)
        /// A source or a file that the text refers to.
        case annotation(AnnotationEvent)
        /// A step of a tool that the server runs.
        case progress(ProgressEvent)
        /// Sound in base64, or a piece of its transcript; empty in the events that end them.
        case sound(String)
        /// The failure that ends the stream.
        case error(APIFailure)
        /// An event of an unknown kind, unchanged.
        case unknown(JSONValue)
    }

    /// The kind; `nil` for one that is newer than this code.
    package var kind: Kind?
    /// The number that the server gave; `nil` if it gives none.
    package var sequenceNumber: Int?
    /// The values.
    package var detail: Detail

    /// An event.
    package init(_ kind: Kind?, _ detail: Detail, sequenceNumber: Int? = nil) {
        self.kind = kind
        self.detail = detail
        self.sequenceNumber = sequenceNumber
    }

    /// The API's name of the kind.
    package var type: String {
        if case .unknown(let json) = detail { return json["type"]?.string ?? "" }
        return kind?.rawValue ?? ""
    }
}
