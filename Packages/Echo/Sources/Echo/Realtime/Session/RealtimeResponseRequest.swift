// SPDX-License-Identifier: MIT

/// A request for an answer in a voice session. `nil` fields use the session's settings.
struct RealtimeResponseRequest: Sendable, Hashable {
    /// Rules for this answer.
    var instructions: String?
    /// The voice.
    var voice: RealtimeVoice?
    /// The tools that the model may call.
    var tools: [ResponseTool]?
    /// The tool that the model must call, if any.
    var toolChoice: ToolChoice?
    /// The most tokens, from 1 to 4096.
    var maximumOutputTokens: Int?
    /// True if the answer becomes part of the conversation. Several answers outside of it may be under way at once.
    var isInConversation: Bool = true
    /// The items that the model reads instead of the conversation.
    var input: [ResponseItem]?
    /// The metadata kept with the answer: at most 16 pairs of at most 512 characters.
    var metadata: [String: String] = [:]

    var json: JSONValue {
        var object = JSONObject()
        object.set("instructions", instructions.map(JSONValue.string))
        object.set("audio", voice.map { ["output": ["voice": $0.json]] })
        object.set("tools", tools.map { .array($0.map(\.json)) })
        object.set("tool_choice", toolChoice?.json)
        object.set("max_output_tokens", maximumOutputTokens.map(JSONValue.integer))
        if !isInConversation { object["conversation"] = "none" }
        object.set("input", input.map { .array($0.map { $0.json(in: .realtime) }) })
        if !metadata.isEmpty {
            let members = metadata.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
            object["metadata"] = .object(JSONObject(members))
        }
        return .object(object)
    }
}
