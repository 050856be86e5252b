// SPDX-License-Identifier: MIT

/// A request for an answer in a voice session. `nil` fields use the session's settings.
public struct RealtimeResponseRequest: Sendable, Hashable {
    /// Rules for this answer.
    public var instructions: String?
    /// The form of the answers: sound or text.
    public var modality: RealtimeModality?
    /// The voice.
    public var voice: RealtimeVoice?
    /// The tools that the model may call.
    public var tools: [ResponseTool]?
    /// The tool that the model must call, if any.
    public var toolChoice: ToolChoice?
    /// The most tokens, from 1 to 4096.
    public var maximumOutputTokens: Int?
    /// True if the answer becomes part of the conversation. Several answers outside of it may be under way at once.
    public var isInConversation: Bool
    /// The items that the model reads instead of the conversation.
    public var input: [ResponseItem]?
    /// The metadata kept with the answer: at most 16 pairs of at most 512 characters.
    public var metadata: [String: String]

    /// A request for an answer within the conversation, with the session's settings.
    public init(
        instructions: String? = nil, modality: RealtimeModality? = nil, voice: RealtimeVoice? = nil,
        tools: [ResponseTool]? = nil, toolChoice: ToolChoice? = nil, maximumOutputTokens: Int? = nil,
        isInConversation: Bool = true, input: [ResponseItem]? = nil, metadata: [String: String] = [:]
    ) {
        self.instructions = instructions
        self.modality = modality
        self.voice = voice
        self.tools = tools
        self.toolChoice = toolChoice
        self.maximumOutputTokens = maximumOutputTokens
        self.isInConversation = isInConversation
        self.input = input
        self.metadata = metadata
    }

    /// True if it changes none of the session's settings.
    var isPlain: Bool { self == RealtimeResponseRequest() }

    var json: JSONValue {
        var object = JSONObject()
        object.set("instructions", instructions.map(JSONValue.string))
        object.set("output_modalities", modality.map { [.string($0.rawValue)] })
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
