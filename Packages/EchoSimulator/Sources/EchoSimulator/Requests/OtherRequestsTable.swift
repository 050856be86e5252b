// SPDX-License-Identifier: MIT

/// The fields of `POST /v1/embeddings`.
enum EmbeddingsRequestTable {
    static let shape = Shape.object([
        .init(
            "input",
            .either([
                .string, .array(.either([.string, .integer(), .array(.integer(), count: 1...8192)]), count: 1...2048),
            ]), required: true),
        .init("model", .string, required: true),
        .init("dimensions", .integer(1...Int.max)),
        .init("encoding_format", .choice(["float", "base64"])),
        .init("user", .string),
    ])
}

/// The fields of `POST /v1/chat/completions`.
enum ChatRequestTable {
    static let shape = Shape.object([
        .init("model", .string, required: true),
        .init("messages", .array(message, count: 1...Int.max), required: true),
        .init("stream", .nullable(.boolean)),
        .init(
            "stream_options",
            .nullable(.object([.init("include_usage", .boolean), .init("include_obfuscation", .boolean)]))),
        .init("temperature", .nullable(.number(0...2))),
        .init("top_p", .nullable(.number(0...1))),
        .init("n", .nullable(.integer(1...1))),
        .init("stop", .nullable(.either([.string, .array(.string, count: 0...4)]))),
        .init("max_tokens", .nullable(.integer(1...Int.max))),
        .init("max_completion_tokens", .nullable(.integer(1...Int.max))),
        .init("presence_penalty", .nullable(.number(-2...2))),
        .init("frequency_penalty", .nullable(.number(-2...2))),
        .init("logit_bias", .nullable(.map(.integer(-100...100)))),
        .init("logprobs", .nullable(.boolean)),
        .init("top_logprobs", .nullable(.integer(0...20))),
        .init("seed", .nullable(.integer())),
        .init("user", .string),
        .init("metadata", .nullable(.map(.string))),
        .init("store", .nullable(.boolean)),
        .init("parallel_tool_calls", .boolean),
        .init(
            "reasoning_effort",
            .nullable(.choice(["none", "minimal", "low", "medium", "high", "xhigh", "max"]))),
        .init("verbosity", .nullable(.choice(["low", "medium", "high"]))),
        .init(
            "response_format",
            .tagged([
                "text": [], "json_object": [],
                "json_schema": [
                    .init(
                        "json_schema",
                        .object([
                            .init("name", .string, required: true), .init("schema", .map(.any)),
                            .init("description", .string), .init("strict", .nullable(.boolean)),
                        ]), required: true)
                ],
            ])),
        .init("tools", .array(.tagged(["function": [.init("function", function, required: true)]]))),
        .init(
            "tool_choice",
            .either([
                .choice(["none", "auto", "required"]),
                .tagged([
                    "function": [
                        .init("function", .object([.init("name", .string, required: true)]), required: true)
                    ]
                ]),
            ])),
        .init("modalities", .nullable(.array(.choice(["text", "audio"])))),
        .init("prompt_cache_key", .nullable(.string)), .init("prompt_cache_retention", .nullable(.string)),
        .init("safety_identifier", .nullable(.string)),
        .init("service_tier", .nullable(.string)), .init("audio", .any), .init("prediction", .any),
        .init("web_search_options", .any), .init("functions", .any), .init("function_call", .any),
    ])

    private static let function = Shape.object([
        .init("name", .string, required: true), .init("description", .string), .init("parameters", .map(.any)),
        .init("strict", .nullable(.boolean)),
    ])

    private static let message = Shape.object([
        .init(
            "role", .choice(["developer", "system", "user", "assistant", "tool", "function"]), required: true),
        .init("content", .nullable(.either([.string, .array(part)]))),
        .init("name", .string),
        .init("refusal", .nullable(.string)),
        .init("tool_call_id", .string),
        .init(
            "tool_calls",
            .array(
                .tagged([
                    "function": [
                        .init("id", .string, required: true),
                        .init(
                            "function",
                            .object([
                                .init("name", .string, required: true), .init("arguments", .string, required: true),
                            ]), required: true),
                    ]
                ]))),
        .init("audio", .any), .init("function_call", .any),
    ])

    private static let part = Shape.tagged([
        "text": [.init("text", .string, required: true), .init("prompt_cache_breakpoint", .any)],
        "refusal": [.init("refusal", .string, required: true)],
        "image_url": [.init("image_url", .map(.any), required: true)],
        "input_audio": [.init("input_audio", .map(.any), required: true)],
        "file": [.init("file", .map(.any), required: true)],
    ])
}
