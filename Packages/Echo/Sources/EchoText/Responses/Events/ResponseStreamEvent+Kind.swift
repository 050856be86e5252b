// SPDX-License-Identifier: MIT

extension ResponseStreamEvent {
    /// The 59 kinds of events of the responses API.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The stream fails.
        case error
        /// More sound, in base64.
        case audioDelta = "response.audio.delta"
        /// The sound is whole.
        case audioDone = "response.audio.done"
        /// More of the sound's transcript.
        case audioTranscriptDelta = "response.audio.transcript.delta"
        /// The sound's transcript is whole.
        case audioTranscriptDone = "response.audio.transcript.done"
        /// The code has run.
        case codeInterpreterCompleted = "response.code_interpreter_call.completed"
        /// Code is being written.
        case codeInterpreterInProgress = "response.code_interpreter_call.in_progress"
        /// The code runs.
        case codeInterpreterInterpreting = "response.code_interpreter_call.interpreting"
        /// More code.
        case codeInterpreterCodeDelta = "response.code_interpreter_call_code.delta"
        /// The code is whole.
        case codeInterpreterCodeDone = "response.code_interpreter_call_code.done"
        /// The server shortens the history.
        case compacting = "response.compaction.compacting"
        /// The answer is whole.
        case completed = "response.completed"
        /// A part of an item begins.
        case contentPartAdded = "response.content_part.added"
        /// A part of an item is done.
        case contentPartDone = "response.content_part.done"
        /// The server has taken the request.
        case created = "response.created"
        /// More of a custom tool's input.
        case customToolInputDelta = "response.custom_tool_call_input.delta"
        /// A custom tool's input is whole.
        case customToolInputDone = "response.custom_tool_call_input.done"
        /// The model failed.
        case failed = "response.failed"
        /// Files were searched.
        case fileSearchCompleted = "response.file_search_call.completed"
        /// A search of files begins.
        case fileSearchInProgress = "response.file_search_call.in_progress"
        /// Files are being searched.
        case fileSearchSearching = "response.file_search_call.searching"
        /// More of a function's arguments.
        case functionArgumentsDelta = "response.function_call_arguments.delta"
        /// A function's arguments are whole.
        case functionArgumentsDone = "response.function_call_arguments.done"
        /// The picture is done.
        case imageGenerationCompleted = "response.image_generation_call.completed"
        /// The picture is being made.
        case imageGenerationGenerating = "response.image_generation_call.generating"
        /// A picture begins.
        case imageGenerationInProgress = "response.image_generation_call.in_progress"
        /// The picture so far.
        case imageGenerationPartialImage = "response.image_generation_call.partial_image"
        /// The model works.
        case inProgress = "response.in_progress"
        /// The answer is cut off.
        case incomplete = "response.incomplete"
        /// A call that the server made of an MCP server is done.
        case mcpCallCompleted = "response.mcp_call.completed"
        /// Such a call failed.
        case mcpCallFailed = "response.mcp_call.failed"
        /// Such a call begins.
        case mcpCallInProgress = "response.mcp_call.in_progress"
        /// More of such a call's arguments.
        case mcpCallArgumentsDelta = "response.mcp_call_arguments.delta"
        /// Such a call's arguments are whole.
        case mcpCallArgumentsDone = "response.mcp_call_arguments.done"
        /// An MCP server's tools are known.
        case mcpListToolsCompleted = "response.mcp_list_tools.completed"
        /// An MCP server did not list its tools.
        case mcpListToolsFailed = "response.mcp_list_tools.failed"
        /// An MCP server is asked for its tools.
        case mcpListToolsInProgress = "response.mcp_list_tools.in_progress"
        /// An item begins.
        case outputItemAdded = "response.output_item.added"
        /// An item is done.
        case outputItemDone = "response.output_item.done"
        /// The text refers to something.
        case outputTextAnnotationAdded = "response.output_text.annotation.added"
        /// More text.
        case outputTextDelta = "response.output_text.delta"
        /// The text of a part is whole.
        case outputTextDone = "response.output_text.done"
        /// The request waits for its turn.
        case queued = "response.queued"
        /// A part of the reasoning's summary begins.
        case reasoningSummaryPartAdded = "response.reasoning_summary_part.added"
        /// A part of the reasoning's summary is done.
        case reasoningSummaryPartDone = "response.reasoning_summary_part.done"
        /// More of the reasoning's summary.
        case reasoningSummaryTextDelta = "response.reasoning_summary_text.delta"
        /// The text of the reasoning's summary is whole.
        case reasoningSummaryTextDone = "response.reasoning_summary_text.done"
        /// More reasoning.
        case reasoningTextDelta = "response.reasoning_text.delta"
        /// The reasoning is whole.
        case reasoningTextDone = "response.reasoning_text.done"
        /// More of a refusal.
        case refusalDelta = "response.refusal.delta"
        /// A refusal is whole.
        case refusalDone = "response.refusal.done"
        /// A shell command begins.
        case shellCommandAdded = "response.shell_call_command.added"
        /// More of a shell command.
        case shellCommandDelta = "response.shell_call_command.delta"
        /// A shell command is whole.
        case shellCommandDone = "response.shell_call_command.done"
        /// More of a shell command's output.
        case shellOutputDelta = "response.shell_call_output_content.delta"
        /// A shell command's output is whole.
        case shellOutputDone = "response.shell_call_output_content.done"
        /// The web was searched.
        case webSearchCompleted = "response.web_search_call.completed"
        /// A search of the web begins.
        case webSearchInProgress = "response.web_search_call.in_progress"
        /// The web is being searched.
        case webSearchSearching = "response.web_search_call.searching"

        /// The kinds by the API's names: an enumeration finds its own one after another.
        static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
    }
}
