// SPDX-License-Identifier: MIT

import Echo

/// An event while a question is answered.
enum ChatEvent: Sendable {
    /// A piece of the answer.
    case text(String)
    /// The servers of tools that are being started; empty when all have answered.
    case startingServers([String])
    /// A tool begins its work.
    case toolStarted(ToolCall)
    /// A tool has done its work.
    case toolEnded(ToolCall, ToolResult, Duration)
    /// A tool was not allowed to do its work: what the model reads, and why.
    case toolDenied(ToolCall, ToolResult, reason: String)
    /// Something that the person should know, in words.
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

    /// The line that tells a person of a call that was not made.
    static func denial(_ call: ToolCall, reason: String) -> String {
        let words = "\(ModelText.short(call.name, limit: 64))(\(ToolArguments.short(call.arguments, limit: 60)))"
        return reason == ToolCalls.declined ? "You declined \(words)." : "\(words) was not called: \(reason)"
    }
}

/// The cost of a chat.
struct ChatCost: Sendable, Equatable {
    /// Tokens by model.
    var usage: [String: Usage] = [:]
    /// In US dollars, of the models that have a price.
    var cost = 0.0
    /// The models without a price.
    var unpriced: [String] = []
    /// Answers whose tokens the server did not say.
    var unknown = 0
    /// In US dollars.
    var budget: Double?
}

/// The partner that answers in a chat: a model at a server, or the local assistant. One question at a time.
protocol ChatPartner: Sendable {
    /// The model's name, for the person.
    var name: String { get async }
    /// Answers a question, telling what happens as it does; waits for whoever is told.
    func answer(_ question: String, _ tell: @escaping @Sendable (ChatEvent) async throws -> Void) async throws
    /// Goes on with another model.
    func use(model: String) async throws
    /// The tools that the model may call.
    func tools() async throws -> [ChatTool]
    /// The cost so far; nil where nothing costs.
    func cost() async -> ChatCost?
    /// Forgets what was said.
    func forget() async
    /// The mode in which it goes on.
    var mode: EchoMode { get async }
    /// Goes on by voice or in text, with all that was said; the old mode stays where the new one cannot be had.
    func switchMode(to mode: EchoMode) async throws
    /// The events while it goes on by voice.
    func voiceEvents() async throws -> EventStream
    /// Has a call carried out that the model asks for by voice.
    func carryOutCalls(_ tell: @escaping @Sendable (ChatEvent) async throws -> Void) async throws
    /// Makes the assistant silent, if it speaks.
    func interrupt() async throws
    /// Closes or opens the microphone.
    func setMuted(_ muted: Bool) async throws
    /// Ends what was started.
    func close() async
}
