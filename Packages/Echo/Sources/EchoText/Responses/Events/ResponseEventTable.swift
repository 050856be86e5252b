// SPDX-License-Identifier: MIT

/// The reader of each kind of event, by its name.
enum ResponseEventTable {
    typealias Reader = @Sendable (WireObject) throws(WireError) -> ResponseStreamEvent

    static let readers: [String: Reader] = [
        "error": { event throws(WireError) in .error(event.failure()) },
        "response.audio.delta": { event throws(WireError) in .audioDelta(try event.sound()) },
        "response.audio.done": { event throws(WireError) in .audioDone(event.soundEnd()) },
        "response.audio.transcript.delta": { event throws(WireError) in .audioTranscriptDelta(try event.sound()) },
        "response.audio.transcript.done": { event throws(WireError) in .audioTranscriptDone(event.soundEnd()) },
        "response.code_interpreter_call.completed": { event throws(WireError) in
            .codeInterpreterCompleted(event.progress())
        },
        "response.code_interpreter_call.in_progress": { event throws(WireError) in
            .codeInterpreterInProgress(event.progress())
        },
        "response.code_interpreter_call.interpreting": { event throws(WireError) in
            .codeInterpreterInterpreting(event.progress())
        },
        "response.code_interpreter_call_code.delta": { event throws(WireError) in
            .codeInterpreterCodeDelta(try event.text("delta"))
        },
        "response.code_interpreter_call_code.done": { event throws(WireError) in
            .codeInterpreterCodeDone(try event.text("code"))
        },
        "response.compaction.compacting": { event throws(WireError) in .compacting(event.progress()) },
        "response.completed": { event throws(WireError) in .completed(try event.response()) },
        "response.content_part.added": { event throws(WireError) in
            .contentPartAdded(try event.part(index: "content_index"))
        },
        "response.content_part.done": { event throws(WireError) in
            .contentPartDone(try event.part(index: "content_index"))
        },
        "response.created": { event throws(WireError) in .created(try event.response()) },
        "response.custom_tool_call_input.delta": { event throws(WireError) in
            .customToolInputDelta(try event.text("delta"))
        },
        "response.custom_tool_call_input.done": { event throws(WireError) in
            .customToolInputDone(try event.text("input"))
        },
        "response.failed": { event throws(WireError) in .failed(try event.response()) },
        "response.file_search_call.completed": { event throws(WireError) in .fileSearchCompleted(event.progress()) },
        "response.file_search_call.in_progress": { event throws(WireError) in .fileSearchInProgress(event.progress()) },
        "response.file_search_call.searching": { event throws(WireError) in .fileSearchSearching(event.progress()) },
        "response.function_call_arguments.delta": { event throws(WireError) in
            .functionArgumentsDelta(try event.text("delta"))
        },
        "response.function_call_arguments.done": { event throws(WireError) in
            .functionArgumentsDone(try event.text("arguments"))
        },
        "response.image_generation_call.completed": { event throws(WireError) in
            .imageGenerationCompleted(event.progress())
        },
        "response.image_generation_call.generating": { event throws(WireError) in
            .imageGenerationGenerating(event.progress())
        },
        "response.image_generation_call.in_progress": { event throws(WireError) in
            .imageGenerationInProgress(event.progress())
        },
        "response.image_generation_call.partial_image": { event throws(WireError) in
            .imageGenerationPartialImage(try event.partialImage())
        },
        "response.in_progress": { event throws(WireError) in .inProgress(try event.response()) },
        "response.incomplete": { event throws(WireError) in .incomplete(try event.response()) },
        "response.mcp_call.completed": { event throws(WireError) in .mcpCallCompleted(event.progress()) },
        "response.mcp_call.failed": { event throws(WireError) in .mcpCallFailed(event.progress()) },
        "response.mcp_call.in_progress": { event throws(WireError) in .mcpCallInProgress(event.progress()) },
        "response.mcp_call_arguments.delta": { event throws(WireError) in
            .mcpCallArgumentsDelta(try event.text("delta"))
        },
        "response.mcp_call_arguments.done": { event throws(WireError) in
            .mcpCallArgumentsDone(try event.text("arguments"))
        },
        "response.mcp_list_tools.completed": { event throws(WireError) in .mcpListToolsCompleted(event.progress()) },
        "response.mcp_list_tools.failed": { event throws(WireError) in .mcpListToolsFailed(event.progress()) },
        "response.mcp_list_tools.in_progress": { event throws(WireError) in .mcpListToolsInProgress(event.progress()) },
        "response.output_item.added": { event throws(WireError) in .outputItemAdded(try event.item()) },
        "response.output_item.done": { event throws(WireError) in .outputItemDone(try event.item()) },
        "response.output_text.annotation.added": { event throws(WireError) in
            .outputTextAnnotationAdded(event.annotation())
        },
        "response.output_text.delta": { event throws(WireError) in
            .outputTextDelta(try event.text("delta", index: "content_index"))
        },
        "response.output_text.done": { event throws(WireError) in
            .outputTextDone(try event.text("text", index: "content_index"))
        },
        "response.queued": { event throws(WireError) in .queued(try event.response()) },
        "response.reasoning_summary_part.added": { event throws(WireError) in
            .reasoningSummaryPartAdded(try event.part(index: "summary_index"))
        },
        "response.reasoning_summary_part.done": { event throws(WireError) in
            .reasoningSummaryPartDone(try event.part(index: "summary_index"))
        },
        "response.reasoning_summary_text.delta": { event throws(WireError) in
            .reasoningSummaryTextDelta(try event.text("delta", index: "summary_index"))
        },
        "response.reasoning_summary_text.done": { event throws(WireError) in
            .reasoningSummaryTextDone(try event.text("text", index: "summary_index"))
        },
        "response.reasoning_text.delta": { event throws(WireError) in
            .reasoningTextDelta(try event.text("delta", index: "content_index"))
        },
        "response.reasoning_text.done": { event throws(WireError) in
            .reasoningTextDone(try event.text("text", index: "content_index"))
        },
        "response.refusal.delta": { event throws(WireError) in
            .refusalDelta(try event.text("delta", index: "content_index"))
        },
        "response.refusal.done": { event throws(WireError) in
            .refusalDone(try event.text("refusal", index: "content_index"))
        },
        "response.shell_call_command.added": { event throws(WireError) in
            .shellCommandAdded(try event.text("command", index: "command_index"))
        },
        "response.shell_call_command.delta": { event throws(WireError) in
            .shellCommandDelta(try event.text("delta", index: "command_index"))
        },
        "response.shell_call_command.done": { event throws(WireError) in
            .shellCommandDone(try event.text("command", index: "command_index"))
        },
        "response.shell_call_output_content.delta": { event throws(WireError) in
            .shellOutputDelta(try event.shellOutput("delta"))
        },
        "response.shell_call_output_content.done": { event throws(WireError) in
            .shellOutputDone(try event.shellOutput("output"))
        },
        "response.web_search_call.completed": { event throws(WireError) in .webSearchCompleted(event.progress()) },
        "response.web_search_call.in_progress": { event throws(WireError) in .webSearchInProgress(event.progress()) },
        "response.web_search_call.searching": { event throws(WireError) in .webSearchSearching(event.progress()) },
    ]
}
