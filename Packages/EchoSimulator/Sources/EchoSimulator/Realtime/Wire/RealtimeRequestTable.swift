// SPDX-License-Identifier: MIT

/// The events that a client may send to `/v1/realtime`.
enum RealtimeRequestTable {
    static let shape = Shape.tagged([
        "session.update": [eventID, .init("session", session, required: true)],
        "input_audio_buffer.append": [eventID, .init("audio", .string, required: true)],
        "input_audio_buffer.commit": [eventID],
        "input_audio_buffer.clear": [eventID],
        "output_audio_buffer.clear": [eventID],
        "conversation.item.create": [
            eventID, .init("previous_item_id", .nullable(.string)), .init("item", item, required: true),
        ],
        "conversation.item.retrieve": [eventID, .init("item_id", .string, required: true)],
        "conversation.item.delete": [eventID, .init("item_id", .string, required: true)],
        "conversation.item.truncate": [
            eventID, .init("item_id", .string, required: true),
            .init("content_index", .integer(0...Int.max), required: true),
            .init("audio_end_ms", .integer(0...Int.max), required: true),
        ],
        "response.create": [eventID, .init("response", .nullable(response))],
        "response.cancel": [eventID, .init("response_id", .nullable(.string))],
    ])

    private static let eventID = Shape.Field("event_id", .nullable(.string))

    private static let session = Shape.tagged([
        "realtime": [
            .init("model", .string), .init("instructions", .string), .init("output_modalities", modalities),
            .init("audio", .object([.init("input", input), .init("output", output)])),
            .init("include", .nullable(.array(.choice(["item.input_audio_transcription.logprobs"])))),
            .init("max_output_tokens", tokenLimit), .init("tools", tools), .init("tool_choice", toolChoice),
            .init("parallel_tool_calls", .boolean), .init("prompt", .nullable(.any)),
            .init("reasoning", .nullable(.object([.init("effort", .nullable(.string))]))),
            .init(
                "tracing",
                .nullable(
                    .either([
                        .choice(["auto"]),
                        .object([
                            .init("workflow_name", .string), .init("group_id", .string),
                            .init("metadata", .map(.any)),
                        ]),
                    ]))),
            .init("truncation", truncation),
        ],
        "transcription": [
            .init("audio", .object([.init("input", input)])),
            .init("include", .nullable(.array(.choice(["item.input_audio_transcription.logprobs"])))),
        ],
    ])

    private static let modalities = Shape.array(.choice(["text", "audio"]), count: 1...2)
    private static let tokenLimit = Shape.either([.integer(1...4096), .choice(["inf"])])

    private static let format = Shape.tagged([
        "audio/pcm": [.init("rate", .integer(24_000...24_000))], "audio/pcmu": [], "audio/pcma": [],
    ])

    private static let input = Shape.object([
        .init("format", format),
        .init("noise_reduction", .nullable(.tagged(["near_field": [], "far_field": []]))),
        .init(
            "transcription",
            .nullable(
                .object([
                    .init("model", .string), .init("language", .string), .init("prompt", .string),
                    .init("delay", .string), .init("keywords", .array(.string)), .init("languages", .array(.string)),
                ]))),
        .init("turn_detection", .nullable(detection)),
    ])

    private static let detection = Shape.tagged([
        "server_vad": [
            .init("threshold", .number(0...1)), .init("prefix_padding_ms", .integer(0...10_000)),
            .init("silence_duration_ms", .integer(0...60_000)),
            .init("idle_timeout_ms", .nullable(.integer(5_000...30_000))),
            .init("create_response", .boolean), .init("interrupt_response", .boolean),
        ],
        "semantic_vad": [
            .init("eagerness", .choice(["low", "medium", "high", "auto"])), .init("create_response", .boolean),
            .init("interrupt_response", .boolean),
        ],
    ])

    private static let voice = Shape.either([.string, .object([.init("id", .string, required: true)])])

    private static let output = Shape.object([
        .init("format", format), .init("voice", voice), .init("speed", .number(0.25...1.5)),
    ])

    private static let tools = Shape.array(
        .tagged([
            "function": [
                .init("name", .string, required: true), .init("description", .string),
                .init("parameters", .map(.any)),
            ],
            "mcp": [
                .init("server_label", .string, required: true), .init("server_url", .string),
                .init("connector_id", .string), .init("authorization", .string), .init("headers", .nullable(.any)),
                .init("server_description", .string), .init("allowed_tools", .nullable(.any)),
                .init("require_approval", .nullable(.any)), .init("allowed_callers", .any),
                .init("defer_loading", .boolean), .init("tunnel_id", .string),
            ],
        ]))

    private static let toolChoice = Shape.either([
        .choice(["none", "auto", "required"]),
        .tagged([
            "function": [.init("name", .string, required: true)],
            "mcp": [.init("server_label", .string, required: true), .init("name", .nullable(.string))],
        ]),
    ])

    private static let truncation = Shape.either([
        .choice(["auto", "disabled"]),
        .tagged([
            "retention_ratio": [
                .init("retention_ratio", .number(0...1), required: true),
                .init("token_limits", .object([.init("post_instructions", .integer(0...Int.max))])),
            ]
        ]),
    ])

    private static let response = Shape.object([
        .init("audio", .object([.init("output", .object([.init("format", format), .init("voice", voice)]))])),
        .init("conversation", .string), .init("input", .array(item)),
        .init("instructions", .string), .init("max_output_tokens", tokenLimit),
        .init("metadata", .nullable(.map(.string))), .init("output_modalities", modalities),
        .init("parallel_tool_calls", .boolean), .init("prompt", .nullable(.any)),
        .init("reasoning", .nullable(.any)), .init("tool_choice", toolChoice), .init("tools", tools),
    ])

    private static let common: [Shape.Field] = [
        .init("id", .string), .init("object", .choice(["realtime.item"])),
        .init("status", .choice(["completed", "incomplete", "in_progress"])),
    ]

    static let item = Shape.tagged([
        "message": common + [
            .init("role", .choice(["system", "user", "assistant"]), required: true),
            .init("content", .array(part), required: true),
        ],
        "function_call": common + [
            .init("call_id", .string), .init("name", .string, required: true),
            .init("arguments", .string, required: true),
        ],
        "function_call_output": common + [
            .init("call_id", .string, required: true), .init("output", .string, required: true),
        ],
        "mcp_approval_response": [
            .init("id", .string), .init("approval_request_id", .string, required: true),
            .init("approve", .boolean, required: true), .init("reason", .nullable(.string)),
        ],
        "item_reference": [.init("id", .string, required: true)],
    ])

    private static let part = Shape.tagged([
        "input_text": [.init("text", .string, required: true)],
        "input_audio": [.init("audio", .string), .init("transcript", .nullable(.string))],
        "input_image": [
            .init("image_url", .string, required: true), .init("detail", .choice(["auto", "low", "high"])),
        ],
        "output_text": [.init("text", .string, required: true)],
        "output_audio": [.init("audio", .string), .init("transcript", .nullable(.string))],
    ])
}
