// SPDX-License-Identifier: MIT

import Echo
import TestKit
import Testing

@Suite("Conversation with tools", .timeLimit(.minutes(5)))
struct ConversationToolTests {
    private let calls = [
        ToolCall(id: "c1", name: "add", arguments: #"{"a":1,"b":2}"#),
        ToolCall(id: "c2", name: "add", arguments: #"{"a":3,"b":4}"#),
    ]

    private let add = Tool(
        name: "add", description: "Adds", parameters: ["a": ["type": "integer"], "b": ["type": "integer"]]
    ) { arguments in "\((arguments["a"] as? Int ?? 0) + (arguments["b"] as? Int ?? 0))" }

    private func shape(_ request: ResponsesRequest) -> [String] {
        request.input.map { item in
            switch item {
            case .message(let message): message.text
            case .functionCall(let call): "call \(call.callID)"
            case .functionCallOutput(let output): "\(output.callID)=\(output.text)"
            default: "?"
            }
        }
    }

    @Test("Calls are carried out, and their results go back in order", arguments: [true, false])
    func automatic(keeps: Bool) async throws {
        let calls = calls
        let service = ScriptedResponses(
            keeps: keeps,
            [
                { _ in ScriptedResponses.Step.calls(calls, id: "r1") },
                { _ in ScriptedResponses.Step.text(["3 and 7"], id: "r2") },
            ])
        let echo = Echo(service)
        echo.registerTool(add)
        let events = echo.events
        let conversation = try await echo.startConversation(mode: .text)
        try await conversation.send("Add")
        #expect(await conversation.allMessages.map(\.text) == ["Add", "3 and 7"])
        #expect(service.requests[0].tools.count == 1)
        #expect(
            shape(service.requests[1])
                == (keeps ? ["c1=3", "c2=7"] : ["Add", "call c1", "call c2", "c1=3", "c2=7"]))
        var seen: [EventType] = []
        for await event in events {
            if [.toolCallRequested, .toolResultSubmitted].contains(event.type) { seen.append(event.type) }
            if event.type == .turnChanged, seen.count == 4 { break }
        }
        #expect(seen == [.toolCallRequested, .toolCallRequested, .toolResultSubmitted, .toolResultSubmitted])
    }

    /// A conversation whose model has requested both calls, which wait for the program; its next answer is "done".
    private func withPendingCalls(keeps: Bool) async throws -> (ScriptedResponses, Conversation) {
        let calls = calls
        let service = ScriptedResponses(
            keeps: keeps,
            [
                { _ in ScriptedResponses.Step.calls(calls, id: "r1") },
                { _ in ScriptedResponses.Step.text(["done"], id: "r2") },
            ])
        let echo = Echo(service, automaticToolExecution: false)
        echo.registerTool(add)
        let conversation = try await echo.startConversation(mode: .text)
        try await conversation.send("Add")
        return (service, conversation)
    }

    @Test("Calls that the program carries out wait for all their results, given in any order")
    func manual() async throws {
        let (service, conversation) = try await withPendingCalls(keeps: true)
        #expect(await conversation.pendingToolCalls == calls)
        await #expect(throws: EchoError.self) { try await conversation.send("Well?") }
        await #expect(throws: EchoError.self) {
            try await conversation.submitToolResults([ToolResult(callID: "other", output: "")])
        }
        try await conversation.submitToolResults([ToolResult(callID: "c2", output: "seven")])
        #expect(await conversation.pendingToolCalls.map(\.id) == ["c1"])
        try await conversation.submitToolResults([ToolResult(callID: "c1", output: "three")])
        #expect(shape(service.requests[1]) == ["c1=three", "c2=seven"])
        #expect(await conversation.allMessages.map(\.text) == ["Add", "done"])
        #expect(await conversation.pendingToolCalls.isEmpty)
    }

    @Test func `what is said after an interruption of calls that wait follows their results`() async throws {
        for _ in 0..<50 {
            let (service, conversation) = try await withPendingCalls(keeps: false)
            async let interruption: Void = conversation.interruptAssistant()
            try await eventually { await conversation.pendingToolCalls.isEmpty }
            try await conversation.send("Well?")
            try await interruption
            let refused = calls.map { "\($0.id)=The user interrupted." }
            #expect(shape(service.requests[1]) == ["Add", "call c1", "call c2"] + refused + ["Well?"])
        }
    }

    @Test("A model that goes on calling is stopped, and the history stays one that the API takes")
    func loopLimit() async throws {
        let answers: [ScriptedResponses.Answer] = (0..<3).map { number in
            { _ in
                ScriptedResponses.Step.calls(
                    [ToolCall(id: "c\(number)", name: "add", arguments: #"{"a":1,"b":1}"#)], id: "r\(number)")
            }
        }
        let service = ScriptedResponses(keeps: false, answers + [{ _ in ScriptedResponses.Step.text(["ok"], id: "r") }])
        var configuration = ToolExecutor.Configuration()
        configuration.maximumRounds = 2
        let echo = Echo(service, executor: ToolExecutor(configuration: configuration))
        echo.registerTool(add)
        let conversation = try await echo.startConversation(mode: .text)
        await #expect {
            try await conversation.send("Add")
        } throws: { error in
            if case EchoError.toolExecutionFailed = error { true } else { false }
        }
        try await conversation.send("And now?")
        #expect(
            shape(service.requests[3]) == [
                "Add", "call c0", "c0=2", "call c1", "c1=2", "call c2", "c2=The call was not carried out.", "And now?",
            ])
    }

    @Test("Interrupting while a tool runs gives each call a result")
    func interruption() async throws {
        let calls = calls
        let entered = Collected<Void>()
        let gate = Gate()
        defer { gate.open() }
        let service = ScriptedResponses([
            { _ in ScriptedResponses.Step.calls(calls, id: "r1") },
            { _ in ScriptedResponses.Step.text(["ok"], id: "r2") },
        ])
        let echo = Echo(service)
        echo.registerTool(
            Tool(name: "add", description: "", schema: ["type": "object"]) { _ in
                entered.append(())
                await gate.pass()
                return "late"
            })
        let conversation = try await echo.startConversation(mode: .text)
        async let sending: Void = conversation.send("Add")
        _ = try await entered.first(2)
        try await conversation.interruptAssistant()
        try await sending
        try await conversation.send("Never mind")
        #expect(
            shape(service.requests[1]) == [
                "c1=The call was not carried out.", "c2=The call was not carried out.", "Never mind",
            ])
        #expect(service.requests[1].previousResponseID == "r1")
    }

    @Test func `interrupting calls that wait for the program ends the turn`() async throws {
        let calls = calls
        let service = ScriptedResponses([
            { _ in ScriptedResponses.Step.calls(calls, id: "r1") },
            { _ in ScriptedResponses.Step.text(["ok"], id: "r2") },
        ])
        let echo = Echo(service, automaticToolExecution: false)
        echo.registerTool(add)
        let events = echo.events
        let conversation = try await echo.startConversation(mode: .text)
        try await conversation.send("Add")
        try await conversation.interruptAssistant()
        #expect(await conversation.pendingToolCalls.isEmpty)
        try await conversation.send("Never mind")
        #expect(
            shape(service.requests[1]) == ["c1=The user interrupted.", "c2=The user interrupted.", "Never mind"])
        var seen: [EventType] = []
        for await event in events {
            if [.turnEnded, .turnChanged, .assistantInterrupted].contains(event.type) { seen.append(event.type) }
            if seen.count == 5 { break }
        }
        #expect(seen == [.turnEnded, .turnChanged, .assistantInterrupted, .turnEnded, .turnChanged])
    }

    @Test("Any interleaving of the calls gives the same history", arguments: 0..<20)
    func interleavings(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 2...8, using: &random)
        let yields = (0..<count).map { _ in Int.random(in: 0..<30, using: &random) }
        let calls = (0..<count).map { ToolCall(id: "c\($0)", name: "wait", arguments: #"{"n":\#($0)}"#) }
        let service = ScriptedResponses(
            keeps: false,
            [
                { _ in ScriptedResponses.Step.calls(calls, id: "r1") },
                { _ in ScriptedResponses.Step.text(["ok"], id: "r2") },
            ])
        let echo = Echo(service)
        echo.registerTool(
            Tool(name: "wait", description: "", schema: ["type": "object"]) { arguments in
                let number = arguments["n"]?.integer ?? 0
                await disturbOrder(yields[number])
                return "\(number)"
            })
        let conversation = try await echo.startConversation(mode: .text)
        try await conversation.send("Go")
        #expect(
            shape(service.requests[1])
                == ["Go"] + (0..<count).map { "call c\($0)" } + (0..<count).map { "c\($0)=\($0)" })
    }

    @Test("A tool that cannot be used is told before anything is said")
    func unusableTool() async throws {
        let service = ScriptedResponses([])
        for tool in [
            Tool(name: "not a name", description: "", parameters: [:]) { _ in "" },
            Tool(name: "f", description: "", schema: ["type": "string"]) { _ in "" },
            Tool(name: "f", description: "", parameters: ["a": Task<Void, Never>.self]) { _ in "" },
        ] {
            let echo = Echo(service)
            echo.registerTool(tool)
            let conversation = try await echo.startConversation(mode: .text)
            await #expect {
                try await conversation.send("Hi")
            } throws: { error in
                if case EchoError.invalidConfiguration = error { true } else { false }
            }
            #expect(await conversation.allMessages.isEmpty)
        }
    }
}
