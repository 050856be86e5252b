// SPDX-License-Identifier: MIT

/// The fields of `POST /v1/responses`.
enum ResponsesRequestTable {
    static let shape = Shape.object([
        .init("model", .string, required: true),
        .init("input", .either([.string, .array(item)])),
        .init("instructions", .nullable(.string)),
        .init("previous_response_id", .nullable(.string)),
        .init("conversation", .nullable(.either([.string, .object([.init("id", .string, required: true)])]))),
        .init("stream", .nullable(.boolean)),
        .init("stream_options", .nullable(.object([.init("include_obfuscation", .boolean)]))),
        .init("store", .nullable(.boolean)),
        .init("background", .nullable(.boolean)),
        .init("include", .nullable(.array(.choice(includable)))),
        .init("max_output_tokens", .nullable(.integer(16...Int.max))),
        .init("max_tool_calls", .nullable(.integer(1...Int.max))),
        .init("metadata", .nullable(.map(.string))),
        .init("parallel_tool_calls", .nullable(.boolean)),
        .init("prompt_cache_key", .nullable(.string)),
        .init("prompt_cache_options", .any),
        .init("prompt_cache_retention", .nullable(.choice(["in_memory", "24h"]))),
        .init("reasoning", .nullable(reasoning)),
        .init("safety_identifier", .nullable(.string)),
        .init(
            "service_tier",
            .nullable(.choice(["auto", "default", "flex", "scale", "priority", "fast", "ultrafast"]))),
        .init("temperature", .nullable(.number(0...2))),
        .init("text", .nullable(text)),
        .init("tool_choice", toolChoice),
        .init("tools", .nullable(.array(tool))),
        .init("top_logprobs", .nullable(.integer(0...20))),
        .init("top_p", .nullable(.number(0...1))),
        .init("truncation", .nullable(.choice(["auto", "disabled"]))),
        .init("user", .string),
        .init("prompt", .any), .init("moderation", .any), .init("context_management", .any),
        .init("image", .any), .init("access_programs", .any),
    ])

    private static let includable = [
        "file_search_call.results", "web_search_call.results", "web_search_call.action.sources",
        "message.input_image.image_url", "computer_call_output.output.image_url", "code_interpreter_call.outputs",
        "reasoning.encrypted_content", "message.output_text.logprobs",
    ]

    private static let reasoning = Shape.object([
        .init("effort", .nullable(.choice(["none", "minimal", "low", "medium", "high", "xhigh", "max"]))),
        .init("summary", .nullable(.choice(["auto", "concise", "detailed"]))),
        .init("generate_summary", .nullable(.choice(["auto", "concise", "detailed"]))),
        .init("context", .nullable(.choice(["auto", "current_turn", "all_turns"]))),
        .init("mode", .string),
    ])

    private static let text = Shape.object([
        .init(
            "format",
            .tagged([
                "text": [], "json_object": [],
                "json_schema": [
                    .init("name", .string, required: true), .init("schema", .map(.any), required: true),
                    .init("description", .string), .init("strict", .nullable(.boolean)),
                ],
            ])),
        .init("verbosity", .nullable(.choice(["low", "medium", "high"]))),
    ])

    private static let toolChoice = Shape.either([
        .choice(["none", "auto", "required"]),
        .tagged([
            "function": [.init("name", .string, required: true)],
            "custom": [.init("name", .string, required: true)],
            "mcp": [.init("server_label", .string, required: true), .init("name", .nullable(.string))],
            "allowed_tools": [
                .init("mode", .choice(["auto", "required"]), required: true),
                .init("tools", .array(.map(.any)), required: true),
            ],
            "file_search": [], "web_search_preview": [], "computer_use_preview": [], "code_interpreter": [],
            "image_generation": [], "apply_patch": [], "shell": [],
        ]),
    ])

    private static let tool = Shape.tagged([
        "function": [
            .init("name", .string, required: true), .init("parameters", .nullable(.map(.any))),
            .init("strict", .nullable(.boolean)), .init("description", .nullable(.string)),
            .init("allowed_callers", .any), .init("async", .boolean), .init("defer_loading", .boolean),
            .init("output_schema", .nullable(.map(.any))),
        ],
        "custom": [
            .init("name", .string, required: true), .init("description", .string), .init("format", .map(.any)),
        ],
        "web_search": anything, "web_search_preview": anything, "file_search": anything, "code_interpreter": anything,
        "image_generation": anything, "mcp": anything, "local_shell": anything, "shell": anything,
        "computer_use_preview": anything, "apply_patch": anything,
    ])

    /// The fields of the tools that the API runs itself; the simulator runs none of them.
    private static let anything: [Shape.Field] = [
        "allowed_callers", "allowed_tools", "authorization", "connector_id", "container", "display_height",
        "display_width", "environment", "filters", "headers", "max_num_results", "model", "partial_images", "quality",
        "ranking_options", "require_approval", "search_context_size", "server_description", "server_label",
        "server_url", "size", "user_location", "vector_store_ids",
    ].map { Shape.Field($0, .any) }

    static let item = Shape.tagged(
        [
            "message": message,
            "function_call": [
                .init("call_id", .string, required: true), .init("name", .string, required: true),
                .init("arguments", .string, required: true), .init("id", .nullable(.string)), status,
                .init("caller", .any), .init("namespace", .nullable(.string)), .init("async", .boolean),
            ],
            "function_call_output": [
                .init("call_id", .string, required: true), .init("output", content, required: true),
                .init("id", .nullable(.string)), status, .init("caller", .any), .init("name", .nullable(.string)),
                .init("namespace", .nullable(.string)),
            ],
            "reasoning": [
                .init("id", .string, required: true),
                .init(
                    "summary",
                    .array(.tagged(["summary_text": [.init("text", .string, required: true)]])), required: true),
                .init("content", .nullable(.array(.tagged(["reasoning_text": [.init("text", .string)]])))),
                .init("encrypted_content", .nullable(.string)), status,
            ],
            "item_reference": [.init("id", .string, required: true)],
            "custom_tool_call": opaque, "custom_tool_call_output": opaque, "file_search_call": opaque,
            "web_search_call": opaque, "computer_call": opaque, "computer_call_output": opaque,
            "image_generation_call": opaque, "code_interpreter_call": opaque, "local_shell_call": opaque,
            "local_shell_call_output": opaque, "shell_call": opaque, "shell_call_output": opaque,
            "apply_patch_call": opaque, "apply_patch_call_output": opaque, "mcp_list_tools": opaque,
            "mcp_approval_request": opaque, "mcp_approval_response": opaque, "mcp_call": opaque, "compaction": opaque,
        ], otherwise: message)

    private static let status = Shape.Field("status", .nullable(.choice(["in_progress", "completed", "incomplete"])))

    private static let message: [Shape.Field] = [
        .init("role", .choice(["user", "assistant", "system", "developer"]), required: true),
        .init("content", content, required: true), .init("id", .string), status,
        .init("phase", .nullable(.choice(["commentary", "final_answer"]))),
    ]

    private static let content = Shape.either([
        .string,
        .array(
            .tagged([
                "input_text": [.init("text", .string, required: true), .init("prompt_cache_breakpoint", .any)],
                "input_image": [
                    .init("image_url", .nullable(.string)), .init("file_id", .nullable(.string)),
                    .init("detail", .nullable(.choice(["low", "high", "auto", "original"]))),
                    .init("prompt_cache_breakpoint", .any),
                ],
                "input_file": [
                    .init("file_id", .nullable(.string)), .init("file_data", .string), .init("file_url", .string),
                    .init("filename", .string), .init("detail", .string), .init("prompt_cache_breakpoint", .any),
                ],
                "input_audio": [.init("input_audio", .map(.any), required: true)],
                "output_text": [
                    .init("text", .string, required: true), .init("annotations", .array(.any)),
                    .init("logprobs", .nullable(.array(.any))),
                ],
                "refusal": [.init("refusal", .string, required: true)],
            ])),
    ])

    /// Items of tools that the simulator does not run: returned unchanged.
    private static let opaque: [Shape.Field] = [
        "acknowledged_safety_checks", "action", "approval_request_id", "approve", "arguments", "call_id", "code",
        "container_id", "encrypted_content", "environment", "error", "id", "input", "max_output_length", "name",
        "namespace", "operation", "output", "outputs", "pending_safety_checks", "queries", "reason", "result",
        "results", "server_label", "status", "tools",
    ].map { Shape.Field($0, .any) }
}
