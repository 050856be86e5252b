// SPDX-License-Identifier: MIT

import Diagnostics
import MCP
import StructuredJSON
import TestKit
import Testing

@testable import Echo

@Suite("Tools in voice", .timeLimit(.minutes(5)))
struct VoiceToolTests {
    private let call = ToolCall(id: "call_1", name: "get_time", arguments: #"{"place":"Bonn"}"#)

    private func clock(_ answer: @escaping @Sendable () async throws -> String = { "Noon" }) -> Tool {
        Tool(name: "get_time", description: "The time", parameters: ["place": ["type": "string"]]) { _ in
            try await answer()
        }
    }

    private func outputs(_ stage: VoiceStage) -> [String] {
        stage.service.sent("conversation.item.create").compactMap { $0["item"]?["output"]?.string }
    }

    @Test("A call is carried out, and the model goes on with its result")
    func automatic() async throws {
        try await VoiceStage.run([.calls([call]), .speech("It is noon.", milliseconds: 100)]) { stage in
            stage.echo.registerTool(clock())
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try await conversation.send("What time is it?")
            #expect(await conversation.allMessages.map(\.text) == ["What time is it?", "It is noon."])
            #expect(outputs(stage) == ["Noon"])
            _ = try await stage.first(.toolResultSubmitted)
            #expect(stage.count(.toolCallRequested) == 1)
            let kinds = await conversation.history.map { item in
                switch item {
                case .message(let message): "\(message.role.rawValue): \(message.text)"
                case .functionCall(let call): "call \(call.callID)"
                case .functionCallOutput(let output): "result \(output.callID): \(output.text)"
                default: "?"
                }
            }
            #expect(
                kinds == [
                    "user: What time is it?", "call call_1", "result call_1: Noon", "assistant: It is noon.",
                ])
            await conversation.close()
        }
    }

    @Test("The model may ask as often as in text, and is refused then until the user's next turn")
    func rounds() async throws {
        let limit = ToolExecutor.Configuration().maximumRounds
        let more = ToolCall(id: "call_2", name: "get_time", arguments: #"{"place":"Rome"}"#)
        // Several calls of one answer count once.
        let asking = [ScriptedAnswer](repeating: .calls([call, more]), count: limit + 1)
        try await VoiceStage.run(
            asking + [.speech("Enough.", milliseconds: 40), .calls([call]), .speech("Noon.", milliseconds: 40)]
        ) { stage in
            stage.echo.registerTool(clock())
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try await conversation.send("What time is it?")
            let first = outputs(stage)
            #expect(first.prefix(2 * limit).allSatisfy { $0 == "Noon" })
            #expect(first.dropFirst(2 * limit).map { $0.contains("too many calls") } == [true, true])
            let asked = stage.service.sent("response.create").map { $0["response"]?["tool_choice"]?.string }
            #expect(asked == [String?](repeating: nil, count: limit + 1) + ["none"])
            try await conversation.send("And now?")
            #expect(outputs(stage).last == "Noon")
            #expect(await conversation.allMessages.map(\.text) == ["What time is it?", "Enough.", "And now?", "Noon."])
            await conversation.close()
        }
    }

    @Test("A model that calls on and on ends its own turn, not the conversation")
    func endless() async throws {
        let limit = ToolExecutor.Configuration().maximumRounds
        let asking = [ScriptedAnswer](repeating: .calls([call]), count: limit + 2)
        try await VoiceStage.run(asking + [.speech("Hello.", milliseconds: 40)]) { stage in
            stage.echo.registerTool(clock())
            let conversation = try await stage.echo.startConversation(mode: .audio)
            await #expect {
                try await conversation.send("What time is it?")
            } throws: { error in
                guard case EchoError.toolExecutionFailed(let reason) = error else { return false }
                return reason.contains("calls \(limit + 2) times") && reason.contains("limit is \(limit)")
            }
            _ = try await stage.service.first(1 + limit + 2, "conversation.item.create")
            #expect(stage.service.sent("response.create").count == limit + 2)
            try await conversation.send("Never mind")
            #expect(await conversation.allMessages.map(\.text) == ["What time is it?", "Never mind", "Hello."])
            await conversation.close()
        }
    }

    @Test("A tool that fails, that is not there or that the model calls wrongly is told to the model")
    func failures() async throws {
        let unknown = ToolCall(id: "call_2", name: "unknown", arguments: "{}")
        let calls = [call, unknown, ToolCall(id: "call_3", name: "get_time", arguments: "{")]
        try await VoiceStage.run([.calls(calls), .speech("Sorry.", milliseconds: 100)]) { stage in
            stage.echo.registerTool(clock { throw EchoError.toolExecutionFailed("no clock") })
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try await conversation.send("What time is it?")
            let outputs = outputs(stage)
            #expect(outputs.count == 3)
            #expect(outputs.contains { $0.contains("no clock") })
            #expect(outputs.contains { $0.contains("There is no tool unknown") })
            #expect(outputs.contains { $0.contains("no valid JSON") })
            #expect(await conversation.allMessages.last?.text == "Sorry.")
            await conversation.close()
        }
    }

    @Test("The program carries calls out itself: send returns, and the turn goes on with the results")
    func manual() async throws {
        let second = ToolCall(id: "call_2", name: "get_time", arguments: #"{"place":"Rome"}"#)
        try await VoiceStage.run(
            [.calls([call, second]), .speech("Noon in both.", milliseconds: 100)], automaticToolExecution: false
        ) { stage in
            stage.echo.registerTool(clock())
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try await conversation.send("What time is it?")
            #expect(await conversation.pendingToolCalls.map(\.id) == ["call_1", "call_2"])
            await #expect(throws: EchoError.self) { try await conversation.send("Well?") }
            await #expect(throws: EchoError.self) {
                try await conversation.submitToolResults([ToolResult(callID: "call_9", output: "?")])
            }
            try await conversation.submitToolResults([ToolResult(callID: "call_1", output: "Noon")])
            #expect(await conversation.pendingToolCalls.map(\.id) == ["call_2"])
            try await conversation.submitToolResults([ToolResult(callID: "call_2", output: "Noon")])
            #expect(await conversation.allMessages.map(\.text) == ["What time is it?", "Noon in both."])
            await conversation.close()
        }
    }

    @Test("The program carries out a call of a spoken turn, and waits for the turn's end")
    func manualSpoken() async throws {
        try await VoiceStage.run(
            [.calls([call], to: "What time is it?"), .speech("It is noon.", milliseconds: 100)],
            automaticToolExecution: false
        ) { stage in
            stage.echo.registerTool(clock())
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try #require(stage.device.stream).speak(milliseconds: 400)
            _ = try await stage.first(.toolCallRequested)
            try await eventually { await !conversation.pendingToolCalls.isEmpty }
            try await conversation.submitToolResults([ToolResult(callID: "call_1", output: "Noon")])
            #expect(await conversation.allMessages.last?.text == "It is noon.")
            await conversation.close()
        }
    }

    @Test("Interrupting ends calls that wait for the program, and the model does not go on")
    func interrupted() async throws {
        try await VoiceStage.run(
            [.calls([call]), .speech("Go on.", milliseconds: 100)], automaticToolExecution: false
        ) { stage in
            stage.echo.registerTool(clock())
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try await conversation.send("What time is it?")
            try await conversation.interruptAssistant()
            #expect(await conversation.pendingToolCalls.isEmpty)
            try await conversation.send("Never mind")
            #expect(await conversation.allMessages.map(\.text) == ["What time is it?", "Never mind", "Go on."])
            #expect(outputs(stage) == ["The user interrupted."])
            await conversation.close()
        }
    }

    @Test func `a call that had not begun before an interruption is not carried out`() async throws {
        let second = ToolCall(id: "call_2", name: "get_time", arguments: #"{"place":"Rome"}"#)
        let gate = Gate()
        let running = Collected<Void>()
        let executor = ToolExecutor(configuration: .init(maximumParallelCalls: 1))
        try await VoiceStage.run([.calls([call, second])], executor: executor) { stage in
            stage.echo.registerTool(
                clock {
                    running.append(())
                    await gate.pass()
                    return "Noon"
                })
            let conversation = try await stage.echo.startConversation(mode: .audio)
            let sending = Task { try await conversation.send("What time is it?") }
            _ = try await running.first(1)
            try await conversation.interruptAssistant()
            try await sending.value
            gate.open()
            _ = try await stage.service.first(3, "conversation.item.create")
            #expect(outputs(stage).sorted() == ["Noon", "The call was not carried out."])
            #expect(running.values.count == 1)
            await conversation.close()
        }
    }

    @Test func `an approval that is cancelled refuses its call alone`() async throws {
        let second = ToolCall(id: "call_2", name: "get_time", arguments: #"{"place":"Rome"}"#)
        let executor = ToolExecutor(
            configuration: .init { call in
                guard call.id == "call_2" else { throw CancellationError() }
                return .approved
            })
        let answers: [ScriptedAnswer] = [.calls([call, second]), .speech("Noon.", milliseconds: 40)]
        try await VoiceStage.run(answers, executor: executor) { stage in
            stage.echo.registerTool(clock())
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try await conversation.send("What time is it?")
            #expect(Set(outputs(stage)) == ["The call failed: CancellationError()", "Noon"])
            await conversation.close()
        }
    }

    @Test("A tool that is registered during the conversation is told to the session at once")
    func registered() async throws {
        let answers: [ScriptedAnswer] = [
            .speech("Hello.", milliseconds: 100), .calls([call]), .speech("It is noon.", milliseconds: 100),
        ]
        try await VoiceStage.run(answers) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try await conversation.send("Hello")
            stage.echo.registerTool(clock())
            let update = try await stage.service.first(2, "session.update").last
            #expect(update?["session"]?["tools"]?.array?.first?["name"]?.string == "get_time")
            try await conversation.send("What time is it?")
            #expect(outputs(stage) == ["Noon"])
            await conversation.close()
        }
    }

    @Test("Tools of an MCP server are called by voice, too")
    func mcp() async throws {
        let folder = #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
        let server = MCPServer.stdio(
            name: "scripted", command: "python3",
            arguments: ["/\(folder)/MCP/Tests/MCPTests/Fixtures/scripted.py", "good"])
        let call = ToolCall(id: "call_1", name: "echo", arguments: #"{"text":"hi"}"#)
        try await VoiceStage.run([.calls([call]), .speech("Done.", milliseconds: 100)]) { stage in
            stage.echo.registerMCPServer(server)
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try await conversation.send("Say hi")
            let outputs = outputs(stage)
            #expect(outputs == ["hi"])
            await conversation.close()
        }
    }

    @Test("At most as many calls run at once as the executor allows, and closing ends those that hang")
    func parallel() async throws {
        let calls = (0..<6).map { ToolCall(id: "call_\($0)", name: "get_time", arguments: #"{"place":"Bonn"}"#) }
        let running = Collected<Void>()
        try await VoiceStage.run([.calls(calls)]) { stage in
            stage.echo.registerTool(
                clock {
                    running.append(())
                    await untilCancelled()
                    throw CancellationError()
                })
            let conversation = try await stage.echo.startConversation(mode: .audio)
            let sending = Task { try await conversation.send("What time is it?") }
            _ = try await running.first(4)
            await conversation.close()
            try await sending.value
            #expect(running.values.count == 4)
        }
    }
}
