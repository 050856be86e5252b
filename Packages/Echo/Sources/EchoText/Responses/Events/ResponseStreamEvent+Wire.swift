// SPDX-License-Identifier: MIT

extension ResponseStreamEvent {
    /// Reads an event without the stream's framing.
    ///
    /// - Throws: `JSONParsingError` if it is not JSON, `WireError` if a required field is missing. An unknown kind is
    ///   not an error.
    package init(parsing bytes: Span<UInt8>) throws {
        try self.init(json: try JSONValue(parsing: bytes))
    }

    /// Reads an event.
    ///
    /// - Parameters:
    ///   - json: The event.
    ///   - type: The event's kind, if the stream has it beside the data; the data may lack it.
    /// - Throws: `WireError` if a required field is missing.
    package init(json: JSONValue, type: String? = nil) throws(WireError) {
        let object = try WireObject(json, "event").object
        let type = object["type"]?.string ?? type ?? ""
        // Some servers send an error without saying that it is one.
        let isError = (type.isEmpty || type == "message") && object["error"]?.isNull == false
        sequenceNumber = object["sequence_number"]?.integer
        kind = isError ? .error : Kind.named[type]
        detail = try kind.map { kind throws(WireError) in try Detail(kind, WireObject(json, type)) } ?? .unknown(json)
    }
}

extension ResponseStreamEvent.Detail {
    fileprivate init(_ kind: ResponseStreamEvent.Kind, _ event: WireObject) throws(WireError) {
        switch kind {
        case .created, .queued, .inProgress, .completed, .incomplete, .failed:
            self = .response(try Response(json: try event.required("response")))
        case .outputItemAdded, .outputItemDone:
            self = .item(
                ItemEvent(item: try ResponseItem(json: try event.required("item")), outputIndex: event.outputIndex))
        case .contentPartAdded, .contentPartDone: self = .part(try event.part(index: "content_index"))
        case .reasoningSummaryPartAdded, .reasoningSummaryPartDone:
            self = .part(try event.part(index: "summary_index"))
        case .outputTextDelta, .refusalDelta, .reasoningTextDelta:
            self = .text(try event.text("delta", index: "content_index"))
        case .outputTextDone, .reasoningTextDone: self = .text(try event.text("text", index: "content_index"))
        case .refusalDone: self = .text(try event.text("refusal", index: "content_index"))
        case .reasoningSummaryTextDelta: self = .text(try event.text("delta", index: "summary_index"))
        case .reasoningSummaryTextDone: self = .text(try event.text("text", index: "summary_index"))
        case .codeInterpreterCodeDelta, .customToolInputDelta, .functionArgumentsDelta, .mcpCallArgumentsDelta:
            self = .text(try event.text("delta"))
        case .codeInterpreterCodeDone: self = .text(try event.text("code"))
        case .customToolInputDone: self = .text(try event.text("input"))
        case .functionArgumentsDone, .mcpCallArgumentsDone: self = .text(try event.text("arguments"))
        case .shellCommandAdded, .shellCommandDone: self = .text(try event.text("command", index: "command_index"))
        case .shellCommandDelta: self = .text(try event.text("delta", index: "command_index"))
        case .outputTextAnnotationAdded:
            self = .annotation(
                AnnotationEvent(
                    annotation: event.object["annotation"] ?? .null, annotationIndex: event.place("annotation_index"),
                    itemID: event.itemID, outputIndex: event.outputIndex, contentIndex: event.place("content_index")))
        case .audioDelta, .audioTranscriptDelta: self = .sound(try event.string("delta"))
        case .audioDone, .audioTranscriptDone: self = .sound("")
        // Some servers wrap the failure once more.
        case .error: self = .error(APIFailure(json: event["error"] ?? .object(event.object)))
        case .codeInterpreterCompleted, .codeInterpreterInProgress, .codeInterpreterInterpreting, .compacting,
            .fileSearchCompleted, .fileSearchInProgress, .fileSearchSearching, .imageGenerationCompleted,
            .imageGenerationGenerating, .imageGenerationInProgress, .imageGenerationPartialImage, .mcpCallCompleted,
            .mcpCallFailed, .mcpCallInProgress, .mcpListToolsCompleted, .mcpListToolsFailed, .mcpListToolsInProgress,
            .shellOutputDelta, .shellOutputDone, .webSearchCompleted, .webSearchInProgress, .webSearchSearching:
            self = .progress(
                ProgressEvent(
                    itemID: event.itemID, outputIndex: event.outputIndex,
                    rest: event.rest(without: ["type", "item_id", "output_index", "sequence_number"])))
        }
    }
}

extension WireObject {
    fileprivate var itemID: String { optionalString("item_id") ?? "" }
    fileprivate var outputIndex: Int { place("output_index") }

    fileprivate func text(_ field: String, index: String? = nil) throws(WireError) -> TextEvent {
        TextEvent(
            try string(field), itemID: itemID, outputIndex: outputIndex, index: index.map { place($0) } ?? 0,
            logprobs: array("logprobs"))
    }

    fileprivate func part(index: String) throws(WireError) -> PartEvent {
        PartEvent(
            part: try ContentPart(json: try required("part")), itemID: itemID, outputIndex: outputIndex,
            index: place(index), status: optionalString("status").map(ItemStatus.init(rawValue:)))
    }
}
