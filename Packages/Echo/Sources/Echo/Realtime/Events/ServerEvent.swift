// SPDX-License-Identifier: MIT

/// An event of a voice session: the 46 kinds of the realtime API, and any other kind unchanged.
struct ServerEvent: Sendable, Hashable {
    /// The server's id of the event.
    var id: String?
    /// The kind of event with its values.
    var detail: Detail
    /// The event as it arrived; `nil` for one that was made here.
    var json: JSONValue?

    /// An event.
    init(_ detail: Detail, id: String? = nil) {
        self.detail = detail
        self.id = id
    }

    /// The kinds of events, with their values.
    indirect enum Detail: Sendable, Hashable {
        /// `conversation.created`: A conversation with that id exists.
        case conversationCreated(id: String?)
        /// `conversation.item.added`: An item begins.
        case itemAdded(ResponseItem, at: MessagePlace)
        /// `conversation.item.created`: As `conversation.item.added`, from servers before 2025's form.
        case itemCreated(ResponseItem, at: MessagePlace)
        /// `conversation.item.deleted`: An item was deleted.
        case itemDeleted(id: String)
        /// `conversation.item.done`: An item is whole.
        case itemDone(ResponseItem, at: MessagePlace)
        /// `conversation.item.input_audio_transcription.completed`: The transcript of the user's speech is complete.
        case transcriptCompleted(RealtimeTranscript)
        /// `conversation.item.input_audio_transcription.delta`: More of a transcript.
        case transcriptDelta(itemID: String, contentIndex: Int, delta: String, logprobs: [JSONValue])
        /// `conversation.item.input_audio_transcription.failed`: The transcription failed.
        case transcriptFailed(itemID: String, contentIndex: Int, APIFailure)
        /// `conversation.item.input_audio_transcription.segment`: A piece of a transcript with its speaker.
        case transcriptSegment(RealtimeTranscriptSegment)
        /// `conversation.item.retrieved`: The requested item.
        case itemRetrieved(ResponseItem)
        /// `conversation.item.truncated`: An answer was cut to the sound that was heard, in milliseconds.
        case itemTruncated(id: String, contentIndex: Int, audioEnd: Int)
        /// `error`: Something failed; with the id of the client's event that caused it, if one did.
        case error(APIFailure, clientEventID: String?)
        /// `input_audio_buffer.cleared`: The appended sound was dropped.
        case inputAudioCleared
        /// `input_audio_buffer.committed`: The appended sound becomes an item.
        case inputAudioCommitted(itemID: String, at: MessagePlace)
        /// `input_audio_buffer.dtmf_event_received`: A key of a telephone, and the time in seconds since 1970. SIP
        /// only.
        case keyPressed(String, receivedAt: Int)
        /// `input_audio_buffer.speech_started`: The user begins to speak, at that millisecond of all appended sound.
        case speechStarted(itemID: String, audioStart: Int)
        /// `input_audio_buffer.speech_stopped`: The user stops speaking, at that millisecond of all appended sound.
        case speechStopped(itemID: String, audioEnd: Int)
        /// `input_audio_buffer.timeout_triggered`: The user was silent for the idle time-out, in milliseconds of all
        /// appended sound.
        case idleTimeout(itemID: String, audioStart: Int, audioEnd: Int)
        /// `mcp_list_tools.completed`: An MCP server's tools are known.
        case mcpListToolsCompleted(itemID: String)
        /// `mcp_list_tools.failed`: An MCP server did not list its tools.
        case mcpListToolsFailed(itemID: String)
        /// `mcp_list_tools.in_progress`: An MCP server is asked for its tools.
        case mcpListToolsInProgress(itemID: String)
        /// `output_audio_buffer.cleared`: The server stopped sending sound. For WebRTC and SIP only, as the next two.
        case outputAudioCleared(responseID: String)
        /// `output_audio_buffer.started`: The server begins to send sound.
        case outputAudioStarted(responseID: String)
        /// `output_audio_buffer.stopped`: All sound was sent.
        case outputAudioStopped(responseID: String)
        /// `rate_limits.updated`: The remaining requests and tokens.
        case rateLimits([RealtimeRateLimit])
        /// `response.content_part.added`: A part of an item begins.
        case partAdded(AnswerPlace, ContentPart)
        /// `response.content_part.done`: A part of an item is whole.
        case partDone(AnswerPlace, ContentPart)
        /// `response.created`: The model begins to answer.
        case responseCreated(RealtimeResponse)
        /// `response.done`: The answer has ended, whole or not.
        case responseDone(RealtimeResponse)
        /// `response.function_call_arguments.delta`: More of a function's arguments.
        case functionArgumentsDelta(AnswerPlace, callID: String, delta: String)
        /// `response.function_call_arguments.done`: A function's arguments are whole.
        case functionArgumentsDone(AnswerPlace, ToolCall)
        /// `response.mcp_call.completed`: A call that the server made is done.
        case mcpCallCompleted(AnswerPlace)
        /// `response.mcp_call.failed`: Such a call failed.
        case mcpCallFailed(AnswerPlace)
        /// `response.mcp_call.in_progress`: Such a call begins.
        case mcpCallInProgress(AnswerPlace)
        /// `response.mcp_call_arguments.delta`: More of such a call's arguments.
        case mcpArgumentsDelta(AnswerPlace, delta: String)
        /// `response.mcp_call_arguments.done`: Such a call's arguments are whole.
        case mcpArgumentsDone(AnswerPlace, arguments: String)
        /// `response.output_audio.delta`: More sound, in the session's format.
        case audioDelta(AnswerPlace, [UInt8])
        /// `response.output_audio.done`: The sound of a part is whole.
        case audioDone(AnswerPlace)
        /// `response.output_audio_transcript.delta`: More of the sound's transcript.
        case audioTranscriptDelta(AnswerPlace, delta: String)
        /// `response.output_audio_transcript.done`: The sound's transcript is whole.
        case audioTranscriptDone(AnswerPlace, transcript: String)
        /// `response.output_item.added`: An item of the answer begins.
        case outputItemAdded(ResponseItem, responseID: String, outputIndex: Int)
        /// `response.output_item.done`: An item of the answer is whole.
        case outputItemDone(ResponseItem, responseID: String, outputIndex: Int)
        /// `response.output_text.delta`: More text.
        case textDelta(AnswerPlace, delta: String)
        /// `response.output_text.done`: The text of a part is whole.
        case textDone(AnswerPlace, text: String)
        /// `session.created`: The session exists.
        case sessionCreated(RealtimeSession)
        /// `session.updated`: The session has the requested configuration.
        case sessionUpdated(RealtimeSession)
        /// A kind that is newer than this code.
        case unknown(type: String, JSONValue)
    }
}
