// SPDX-License-Identifier: MIT

/// One event of an answer's stream: the 59 kinds of the responses API, and any other kind unchanged.
public indirect enum ResponseStreamEvent: Sendable, Hashable {
    /// `error`: The stream fails.
    case error(ErrorEvent)
    /// `response.audio.delta`: More sound, in base64.
    case audioDelta(SoundEvent)
    /// `response.audio.done`: The sound is whole.
    case audioDone(SoundEvent)
    /// `response.audio.transcript.delta`: More of the sound's transcript.
    case audioTranscriptDelta(SoundEvent)
    /// `response.audio.transcript.done`: The sound's transcript is whole.
    case audioTranscriptDone(SoundEvent)
    /// `response.code_interpreter_call.completed`: The code has run.
    case codeInterpreterCompleted(ProgressEvent)
    /// `response.code_interpreter_call.in_progress`: Code is being written.
    case codeInterpreterInProgress(ProgressEvent)
    /// `response.code_interpreter_call.interpreting`: The code runs.
    case codeInterpreterInterpreting(ProgressEvent)
    /// `response.code_interpreter_call_code.delta`: More code.
    case codeInterpreterCodeDelta(TextEvent)
    /// `response.code_interpreter_call_code.done`: The code is whole.
    case codeInterpreterCodeDone(TextEvent)
    /// `response.compaction.compacting`: The server shortens the history.
    case compacting(ProgressEvent)
    /// `response.completed`: The answer is whole.
    case completed(ResponseEvent)
    /// `response.content_part.added`: A part of an item begins.
    case contentPartAdded(PartEvent)
    /// `response.content_part.done`: A part of an item is done.
    case contentPartDone(PartEvent)
    /// `response.created`: The server has taken the request.
    case created(ResponseEvent)
    /// `response.custom_tool_call_input.delta`: More of a custom tool's input.
    case customToolInputDelta(TextEvent)
    /// `response.custom_tool_call_input.done`: A custom tool's input is whole.
    case customToolInputDone(TextEvent)
    /// `response.failed`: The model failed.
    case failed(ResponseEvent)
    /// `response.file_search_call.completed`: Files were searched.
    case fileSearchCompleted(ProgressEvent)
    /// `response.file_search_call.in_progress`: A search of files begins.
    case fileSearchInProgress(ProgressEvent)
    /// `response.file_search_call.searching`: Files are being searched.
    case fileSearchSearching(ProgressEvent)
    /// `response.function_call_arguments.delta`: More of a function's arguments.
    case functionArgumentsDelta(TextEvent)
    /// `response.function_call_arguments.done`: A function's arguments are whole.
    case functionArgumentsDone(TextEvent)
    /// `response.image_generation_call.completed`: The picture is done.
    case imageGenerationCompleted(ProgressEvent)
    /// `response.image_generation_call.generating`: The picture is being made.
    case imageGenerationGenerating(ProgressEvent)
    /// `response.image_generation_call.in_progress`: A picture begins.
    case imageGenerationInProgress(ProgressEvent)
    /// `response.image_generation_call.partial_image`: The picture so far.
    case imageGenerationPartialImage(PartialImageEvent)
    /// `response.in_progress`: The model works.
    case inProgress(ResponseEvent)
    /// `response.incomplete`: The answer is cut off.
    case incomplete(ResponseEvent)
    /// `response.mcp_call.completed`: A call that the server made of an MCP server is done.
    case mcpCallCompleted(ProgressEvent)
    /// `response.mcp_call.failed`: Such a call failed.
    case mcpCallFailed(ProgressEvent)
    /// `response.mcp_call.in_progress`: Such a call begins.
    case mcpCallInProgress(ProgressEvent)
    /// `response.mcp_call_arguments.delta`: More of such a call's arguments.
    case mcpCallArgumentsDelta(TextEvent)
    /// `response.mcp_call_arguments.done`: Such a call's arguments are whole.
    case mcpCallArgumentsDone(TextEvent)
    /// `response.mcp_list_tools.completed`: An MCP server's tools are known.
    case mcpListToolsCompleted(ProgressEvent)
    /// `response.mcp_list_tools.failed`: An MCP server did not list its tools.
    case mcpListToolsFailed(ProgressEvent)
    /// `response.mcp_list_tools.in_progress`: An MCP server is asked for its tools.
    case mcpListToolsInProgress(ProgressEvent)
    /// `response.output_item.added`: An item begins.
    case outputItemAdded(ItemEvent)
    /// `response.output_item.done`: An item is done.
    case outputItemDone(ItemEvent)
    /// `response.output_text.annotation.added`: The text refers to something.
    case outputTextAnnotationAdded(AnnotationEvent)
    /// `response.output_text.delta`: More text.
    case outputTextDelta(TextEvent)
    /// `response.output_text.done`: The text of a part is whole.
    case outputTextDone(TextEvent)
    /// `response.queued`: The request waits for its turn.
    case queued(ResponseEvent)
    /// `response.reasoning_summary_part.added`: A part of the reasoning's summary begins.
    case reasoningSummaryPartAdded(PartEvent)
    /// `response.reasoning_summary_part.done`: A part of the reasoning's summary is done.
    case reasoningSummaryPartDone(PartEvent)
    /// `response.reasoning_summary_text.delta`: More of the reasoning's summary.
    case reasoningSummaryTextDelta(TextEvent)
    /// `response.reasoning_summary_text.done`: The text of the reasoning's summary is whole.
    case reasoningSummaryTextDone(TextEvent)
    /// `response.reasoning_text.delta`: More reasoning.
    case reasoningTextDelta(TextEvent)
    /// `response.reasoning_text.done`: The reasoning is whole.
    case reasoningTextDone(TextEvent)
    /// `response.refusal.delta`: More of a refusal.
    case refusalDelta(TextEvent)
    /// `response.refusal.done`: A refusal is whole.
    case refusalDone(TextEvent)
    /// `response.shell_call_command.added`: A shell command begins.
    case shellCommandAdded(TextEvent)
    /// `response.shell_call_command.delta`: More of a shell command.
    case shellCommandDelta(TextEvent)
    /// `response.shell_call_command.done`: A shell command is whole.
    case shellCommandDone(TextEvent)
    /// `response.shell_call_output_content.delta`: More of a shell command's output.
    case shellOutputDelta(ShellOutputEvent)
    /// `response.shell_call_output_content.done`: A shell command's output is whole.
    case shellOutputDone(ShellOutputEvent)
    /// `response.web_search_call.completed`: The web was searched.
    case webSearchCompleted(ProgressEvent)
    /// `response.web_search_call.in_progress`: A search of the web begins.
    case webSearchInProgress(ProgressEvent)
    /// `response.web_search_call.searching`: The web is being searched.
    case webSearchSearching(ProgressEvent)
    /// A kind that is newer than this code.
    case unknown(type: String, JSONValue)
}
