// SPDX-License-Identifier: MIT

/// The reader of each kind of event of a voice session, by its name.
enum ServerEventTable {
    typealias Reader = @Sendable (WireObject) throws(WireError) -> ServerEvent.Detail

    static let readers = session.merging(items) { first, _ in first }.merging(answers) { first, _ in first }

    private static let session: [String: Reader] = [
        "conversation.created": { event throws(WireError) in
            .conversationCreated(id: event["conversation"]?["id"]?.string)
        },
        "error": { event throws(WireError) in
            let error = event["error"] ?? .object(event.object)
            return .error(APIFailure(json: error), clientEventID: error["event_id"]?.string)
        },
        "input_audio_buffer.cleared": { _ throws(WireError) in .inputAudioCleared },
        "input_audio_buffer.committed": { event throws(WireError) in
            .inputAudioCommitted(itemID: try event.string("item_id"), at: event.messagePlace)
        },
        "input_audio_buffer.dtmf_event_received": { event throws(WireError) in
            .keyPressed(try event.string("event"), receivedAt: event.place("received_at"))
        },
        "input_audio_buffer.speech_started": { event throws(WireError) in
            .speechStarted(itemID: event.optionalString("item_id") ?? "", audioStart: event.place("audio_start_ms"))
        },
        "input_audio_buffer.speech_stopped": { event throws(WireError) in
            .speechStopped(itemID: event.optionalString("item_id") ?? "", audioEnd: event.place("audio_end_ms"))
        },
        "input_audio_buffer.timeout_triggered": { event throws(WireError) in
            .idleTimeout(
                itemID: event.optionalString("item_id") ?? "", audioStart: event.place("audio_start_ms"),
                audioEnd: event.place("audio_end_ms"))
        },
        "mcp_list_tools.completed": { event throws(WireError) in
            .mcpListToolsCompleted(itemID: try event.string("item_id"))
        },
        "mcp_list_tools.failed": { event throws(WireError) in .mcpListToolsFailed(itemID: try event.string("item_id"))
        },
        "mcp_list_tools.in_progress": { event throws(WireError) in
            .mcpListToolsInProgress(itemID: try event.string("item_id"))
        },
        "output_audio_buffer.cleared": { event throws(WireError) in
            .outputAudioCleared(responseID: try event.string("response_id"))
        },
        "output_audio_buffer.started": { event throws(WireError) in
            .outputAudioStarted(responseID: try event.string("response_id"))
        },
        "output_audio_buffer.stopped": { event throws(WireError) in
            .outputAudioStopped(responseID: try event.string("response_id"))
        },
        "rate_limits.updated": { event throws(WireError) in .rateLimits(event.rateLimits()) },
        "session.created": { event throws(WireError) in
            .sessionCreated(RealtimeSession(try event.member("session")))
        },
        "session.updated": { event throws(WireError) in
            .sessionUpdated(RealtimeSession(try event.member("session")))
        },
    ]

    private static let items: [String: Reader] = [
        "conversation.item.added": { event throws(WireError) in
            .itemAdded(try event.item(), at: event.messagePlace)
        },
        "conversation.item.created": { event throws(WireError) in
            .itemCreated(try event.item(), at: event.messagePlace)
        },
        "conversation.item.deleted": { event throws(WireError) in .itemDeleted(id: try event.string("item_id")) },
        "conversation.item.done": { event throws(WireError) in
            .itemDone(try event.item(), at: event.messagePlace)
        },
        "conversation.item.input_audio_transcription.completed": { event throws(WireError) in
            .transcriptCompleted(try event.transcript())
        },
        "conversation.item.input_audio_transcription.delta": { event throws(WireError) in
            .transcriptDelta(
                itemID: try event.string("item_id"), contentIndex: event.place("content_index"),
                delta: event.optionalString("delta") ?? "", logprobs: event.array("logprobs"))
        },
        "conversation.item.input_audio_transcription.failed": { event throws(WireError) in
            .transcriptFailed(
                itemID: try event.string("item_id"), contentIndex: event.place("content_index"),
                APIFailure(json: event["error"] ?? .null))
        },
        "conversation.item.input_audio_transcription.segment": { event throws(WireError) in
            .transcriptSegment(try event.segment())
        },
        "conversation.item.retrieved": { event throws(WireError) in .itemRetrieved(try event.item()) },
        "conversation.item.truncated": { event throws(WireError) in
            .itemTruncated(
                id: try event.string("item_id"), contentIndex: event.place("content_index"),
                audioEnd: event.place("audio_end_ms"))
        },
    ]

    private static let answers: [String: Reader] = [
        "response.content_part.added": { event throws(WireError) in
            .partAdded(try event.answerPlace(), try event.content())
        },
        "response.content_part.done": { event throws(WireError) in
            .partDone(try event.answerPlace(), try event.content())
        },
        "response.created": { event throws(WireError) in .responseCreated(try event.realtimeResponse()) },
        "response.done": { event throws(WireError) in .responseDone(try event.realtimeResponse()) },
        "response.function_call_arguments.delta": { event throws(WireError) in
            .functionArgumentsDelta(
                try event.answerPlace(), callID: event.optionalString("call_id") ?? "",
                delta: try event.string("delta"))
        },
        "response.function_call_arguments.done": { event throws(WireError) in
            .functionArgumentsDone(
                try event.answerPlace(),
                ToolCall(
                    id: try event.string("call_id"), name: event.optionalString("name") ?? "",
                    arguments: try event.string("arguments")))
        },
        "response.mcp_call.completed": { event throws(WireError) in .mcpCallCompleted(try event.answerPlace()) },
        "response.mcp_call.failed": { event throws(WireError) in .mcpCallFailed(try event.answerPlace()) },
        "response.mcp_call.in_progress": { event throws(WireError) in .mcpCallInProgress(try event.answerPlace()) },
        "response.mcp_call_arguments.delta": { event throws(WireError) in
            .mcpArgumentsDelta(try event.answerPlace(), delta: try event.string("delta"))
        },
        "response.mcp_call_arguments.done": { event throws(WireError) in
            .mcpArgumentsDone(try event.answerPlace(), arguments: try event.string("arguments"))
        },
        "response.output_audio.delta": { event throws(WireError) in
            .audioDelta(try event.answerPlace(), try event.sound("delta"))
        },
        "response.output_audio.done": { event throws(WireError) in .audioDone(try event.answerPlace()) },
        "response.output_audio_transcript.delta": { event throws(WireError) in
            .audioTranscriptDelta(try event.answerPlace(), delta: try event.string("delta"))
        },
        "response.output_audio_transcript.done": { event throws(WireError) in
            .audioTranscriptDone(try event.answerPlace(), transcript: try event.string("transcript"))
        },
        "response.output_item.added": { event throws(WireError) in
            .outputItemAdded(
                try event.item(), responseID: event.optionalString("response_id") ?? "",
                outputIndex: event.place("output_index"))
        },
        "response.output_item.done": { event throws(WireError) in
            .outputItemDone(
                try event.item(), responseID: event.optionalString("response_id") ?? "",
                outputIndex: event.place("output_index"))
        },
        "response.output_text.delta": { event throws(WireError) in
            .textDelta(try event.answerPlace(), delta: try event.string("delta"))
        },
        "response.output_text.done": { event throws(WireError) in
            .textDone(try event.answerPlace(), text: try event.string("text"))
        },
    ]
}
