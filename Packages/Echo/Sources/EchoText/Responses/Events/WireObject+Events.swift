// SPDX-License-Identifier: MIT

/// Readers of the payloads of events.
extension WireObject {
    private var sequenceNumber: Int? { object["sequence_number"]?.integer }
    private var itemID: String { optionalString("item_id") ?? "" }
    private var outputIndex: Int { place("output_index") }

    func text(_ field: String, index: String? = nil) throws(WireError) -> TextEvent {
        TextEvent(
            text: try string(field), itemID: itemID, outputIndex: outputIndex, index: index.map { place($0) } ?? 0,
            logprobs: array("logprobs"), sequenceNumber: sequenceNumber)
    }

    func part(index: String) throws(WireError) -> PartEvent {
        PartEvent(
            part: try ContentPart(json: try required("part")), itemID: itemID, outputIndex: outputIndex,
            index: place(index), status: optionalString("status").map(ItemStatus.init(rawValue:)),
            sequenceNumber: sequenceNumber)
    }

    func response() throws(WireError) -> ResponseEvent {
        ResponseEvent(response: try Response(json: try required("response")), sequenceNumber: sequenceNumber)
    }

    func item() throws(WireError) -> ItemEvent {
        ItemEvent(
            item: try ResponseItem(json: try required("item")), outputIndex: outputIndex, sequenceNumber: sequenceNumber
        )
    }

    func progress() -> ProgressEvent {
        ProgressEvent(itemID: itemID, outputIndex: outputIndex, sequenceNumber: sequenceNumber)
    }

    func sound() throws(WireError) -> SoundEvent {
        SoundEvent(delta: try string("delta"), sequenceNumber: sequenceNumber)
    }

    func soundEnd() -> SoundEvent { SoundEvent(sequenceNumber: sequenceNumber) }

    func annotation() -> AnnotationEvent {
        AnnotationEvent(
            annotation: object["annotation"] ?? .null, annotationIndex: place("annotation_index"), itemID: itemID,
            outputIndex: outputIndex, contentIndex: place("content_index"), sequenceNumber: sequenceNumber)
    }

    func partialImage() throws(WireError) -> PartialImageEvent {
        PartialImageEvent(
            base64: try string("partial_image_b64"), partialIndex: place("partial_image_index"), itemID: itemID,
            outputIndex: outputIndex,
            rest: rest(without: [
                "type", "partial_image_b64", "partial_image_index", "item_id", "output_index", "sequence_number",
            ]), sequenceNumber: sequenceNumber)
    }

    func shellOutput(_ field: String) throws(WireError) -> ShellOutputEvent {
        ShellOutputEvent(
            output: try required(field), commandIndex: place("command_index"), itemID: itemID, outputIndex: outputIndex,
            sequenceNumber: sequenceNumber)
    }

    /// Some servers wrap the failure once more.
    func failure() -> ErrorEvent {
        ErrorEvent(failure: APIFailure(json: self["error"] ?? .object(object)), sequenceNumber: sequenceNumber)
    }
}
