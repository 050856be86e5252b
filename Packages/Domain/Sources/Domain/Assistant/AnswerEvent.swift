// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A report while a question is answered.
public enum AnswerEvent: Sendable, Hashable {
    /// The next piece of the answer.
    case delta(String)
    /// The files that go with the question, before anything else of the answer.
    case attached([Attachment])
    /// A tool is to be called. A call of ``UserContext/recordName`` and its result store what the model gets beside the question.
    case toolCalled(ToolUse)
    /// A tool's result, and the time that the call took.
    case toolReturned(ToolUse, output: String, isError: Bool, took: Duration)
    /// A call was not allowed.
    case toolRefused(ToolUse, ToolRefusal)
    /// A part of the assistant could not answer, and another one is asked.
    case unavailable(AssistantPart, DomainError)
    /// A part of the assistant answers that could not answer an earlier question.
    case available(AssistantPart)
    /// The tool servers that are starting; empty when all have answered.
    case starting([String])
    /// Something that the person should know beside the answer.
    case notice(AnswerNotice)

    /// True for pieces of the answer and calls of tools; false for what is told beside it.
    var belongsToAnswer: Bool {
        switch self {
        case .delta, .toolRefused: true
        case .toolCalled(let use), .toolReturned(let use, _, _, _): !use.isContext
        case .attached, .unavailable, .available, .starting, .notice: false
        }
    }
}

/// A call of a tool.
public struct ToolUse: Sendable, Hashable {
    /// The id that the model gave the call.
    public let id: String
    /// The tool's name.
    public let name: String
    /// The arguments as JSON text.
    public let arguments: String

    /// A call.
    public init(id: String, name: String, arguments: String) {
        self.id = id
        self.name = name
        self.arguments = arguments
    }
}

/// The reason why a call was not made.
public enum ToolRefusal: Sendable, Hashable, CaseIterable {
    /// The person said no.
    case declined
    /// Nobody could be asked.
    case nobodyToAsk
    /// No server has a tool of that name now.
    case unknownTool

    /// The reason, in words for a model.
    public var reason: String {
        switch self {
        case .declined: "the person does not allow it."
        case .nobodyToAsk: "there is nobody to ask for consent."
        case .unknownTool: "no server has a tool of this name now."
        }
    }

    /// The refusal with that reason; nil for none.
    public init?(reason: String) {
        guard let refusal = Self.allCases.first(where: { $0.reason == reason }) else { return nil }
        self = refusal
    }
}

/// Something that a person should know beside an answer.
public enum AnswerNotice: Sendable, Hashable {
    /// The model was cut off; the payload is its reason.
    case cutOff(String)
    /// The model has answered nothing.
    case silence
    /// The tools of a server are missing; the payload says why.
    case toolsMissing(server: String, String)
    /// A call was not allowed, since there is nobody to ask.
    case nobodyToAsk(tool: String, server: String)
    /// The answer was kept from an earlier time, at which that model gave it.
    case kept(since: Date, by: String)
    /// A tool is left out, since it has changed since it was allowed, and there is nobody to ask.
    case toolChanged(tool: String, server: String)
}
