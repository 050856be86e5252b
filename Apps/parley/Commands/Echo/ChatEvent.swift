// SPDX-License-Identifier: MIT

import Echo

/// An event while a question is answered.
enum ChatEvent: Sendable {
    /// A piece of the answer.
    case text(String)
    /// The tool servers that are starting; empty when all have answered.
    case startingServers([String])
    /// A tool has started.
    case toolStarted(ToolCall)
    /// A tool has finished.
    case toolEnded(ToolCall, ToolResult, Duration)
    /// A tool was not allowed to run: the result that the model reads, and the reason.
    case toolDenied(ToolCall, ToolResult, reason: String)
    /// A message for the person, in words.
    case notice(String)
}

/// A tool as `/tools` shows it.
struct ChatTool: Sendable, Equatable {
    let name: String
    let server: String
    let description: String
    /// "approved", "asks first", "changed".
    let standing: String
}

extension ChatEvent {
    /// The text of a status line while servers start.
    static func starting(_ servers: [String]) -> String {
        "Starting the tool server\(servers.count == 1 ? "" : "s") \(servers.joined(separator: ", ").printable) …"
    }

    /// The line about a call that was not made.
    static func denial(_ call: ToolCall, reason: String) -> String {
        let words = "\(ModelText.short(call.name, limit: 64))(\(ToolArguments.short(call.arguments, limit: 60)))"
        return reason == ToolCalls.declined ? "You declined \(words)." : "\(words) was not called: \(reason)"
    }
}

/// The cost of a chat.
struct ChatCost: Sendable, Equatable {
    /// Tokens, by model.
    var usage: [String: Usage] = [:]
    /// The cost in US dollars, of the models that have a price.
    var cost = 0.0
    /// The models without a price.
    var unpriced: [String] = []
    /// The number of answers for which the server reported no tokens.
    var unknown = 0
    /// The budget in US dollars; nil for no limit.
    var budget: Double?
}

/// The partner that answers in a chat: a model at a server, or the local assistant. One question at a time.
protocol ChatPartner: Sendable {
    /// The model's name, for the person.
    var name: String { get async }
    /// Answers a question and reports each event to `tell`, whose return it awaits.
    func answer(_ question: String, _ tell: @escaping @Sendable (ChatEvent) async throws -> Void) async throws
    /// Gives the next question these files.
    ///
    /// - Throws: ``AttachmentError`` for files that the model cannot take.
    func attach(_ files: [AttachedFile]) async throws
    /// Continues with another model.
    func use(model: String) async throws
    /// The tools that the model may call.
    func tools() async throws -> [ChatTool]
    /// The cost so far; nil where nothing costs.
    func cost() async -> ChatCost?
    /// Deletes the conversation from memory.
    func forget() async
    /// The mode in which it goes on.
    var mode: EchoMode { get async }
    /// Switches to voice or to text and keeps the conversation; the old mode stays if the new one is unavailable.
    func switchMode(to mode: EchoMode) async throws
    /// The events while it goes on by voice.
    func voiceEvents() async throws -> EventStream
    /// Carries out the calls that the model requests by voice.
    func carryOutCalls(_ tell: @escaping @Sendable (ChatEvent) async throws -> Void) async throws
    /// Stops the assistant's speech, if there is any.
    func interrupt() async throws
    /// Closes or opens the microphone.
    func setMuted(_ muted: Bool) async throws
    /// Closes the conversation and its servers.
    func close() async
}
