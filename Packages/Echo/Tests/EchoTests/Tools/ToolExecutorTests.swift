// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Echo
import TestKit
import Testing

@Suite("Tool executor", .timeLimit(.minutes(5)))
struct ToolExecutorTests {
    private struct Broken: Error, CustomStringConvertible {
        let description = "the sensor is broken"
    }

    private func tool(
        _ name: String = "f", _ handler: @escaping @Sendable (JSONValue) async throws -> String
    ) -> Tool {
        Tool(name: name, description: "", schema: ["type": "object"], handler: handler)
    }

    private func calls(_ count: Int) -> [ToolCall] {
        (0..<count).map { ToolCall(id: "\($0)", name: "f", arguments: #"{"n":\#($0)}"#) }
    }

    @Test("Results come in the order of the calls, in whatever order they end")
    func allOrders() async throws {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let gates = (0..<3).map { _ in Gate() }
            let done = Collected<Int>()
            let tool = tool { arguments in
                let number = arguments["n"]?.integer ?? 0
                await gates[number].pass()
                done.append(number)
                return "result \(number)"
            }
            async let results = ToolExecutor().execute(calls(3)) { _ in tool }
            for (count, number) in order.enumerated() {
                gates[number].open()
                _ = try await done.first(count + 1)
            }
            #expect(done.values == order)
            #expect(try await results.map(\.output) == ["result 0", "result 1", "result 2"])
            #expect(try await results.map(\.callID) == ["0", "1", "2"])
        }
    }

    @Test("No more calls run at once than the limit allows, and all run in the end", arguments: [1, 2, 3])
    func limit(_ limit: Int) async throws {
        let running = Guarded((now: 0, most: 0))
        let started = Collected<Void>()
        let gate = Gate()
        let tool = tool { _ in
            running.withLock { running in
                running.now += 1
                running.most = max(running.most, running.now)
            }
            started.append(())
            await gate.pass()
            running.withLock { $0.now -= 1 }
            return ""
        }
        var configuration = ToolExecutor.Configuration()
        configuration.maximumParallelCalls = limit
        let executor = ToolExecutor(configuration: configuration)
        async let results = executor.execute(calls(9)) { _ in tool }
        _ = try await started.first(limit)
        gate.open()
        #expect(try await results.count == 9)
        #expect(running.withLock { $0.most } == limit)
    }

    @Test("Wrong arguments, unknown tools and errors are results for the model")
    func failures() async throws {
        let strict = Tool(
            name: "strict", description: "", parameters: ["city": ["type": "string"]]
        ) { _ in "fine" }
        let broken = tool("broken") { _ in throw Broken() }
        let tools = ["strict": strict, "broken": broken]
        let calls = [
            ToolCall(id: "a", name: "strict", arguments: #"{"city":7}"#),
            ToolCall(id: "b", name: "strict", arguments: #"{"city":"#),
            ToolCall(id: "c", name: "strict", arguments: "[]"),
            ToolCall(id: "d", name: "nobody", arguments: "{}"),
            ToolCall(id: "e", name: "broken", arguments: ""),
            ToolCall(id: "f", name: "strict", arguments: #"{"city":"Rome"}"#),
        ]
        let results = try await ToolExecutor().execute(calls) { tools[$0] }
        #expect(results.map(\.isError) == [true, true, true, true, true, false])
        #expect(results[0].output.contains("/city must be"))
        #expect(results[1].output.contains("no valid JSON"))
        #expect(results[2].output.contains("object"))
        #expect(results[3].output == "There is no tool nobody.")
        #expect(results[4].output.contains("the sensor is broken"))
        #expect(results[5].output == "fine")
    }

    @Test("A call that takes too long is given up, though its handler takes no notice")
    func timeout() async throws {
        let clock = ManualClock()
        let gate = Gate()
        defer { gate.open() }
        let tool = tool { _ in
            await gate.pass()
            return "too late"
        }
        async let results = ToolExecutor(clock: clock).execute(calls(1)) { _ in tool }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        #expect(
            try await results == [
                ToolResult(callID: "0", output: "The call failed: it took longer than 30.0 seconds.", isError: true)
            ])
    }

    @Test("Cancelling ends the wait at once, and reaches the handler")
    func cancellation() async throws {
        let entered = Collected<Void>()
        let cancelled = Collected<Void>()
        let gate = Gate()
        defer { gate.open() }
        let tool = tool { _ in
            await withTaskCancellationHandler {
                entered.append(())
                await gate.pass()
            } onCancel: {
                cancelled.append(())
            }
            return ""
        }
        let task = Task { try await ToolExecutor().execute(calls(1)) { _ in tool } }
        _ = try await entered.first(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        _ = try await cancelled.first(1)
    }

    @Test("Approval is asked for in order, before anything runs, and a refusal is told to the model")
    func approval() async throws {
        let log = Collected<String>()
        let tool = tool { arguments in
            log.append("run \(arguments["n"]?.integer ?? -1)")
            return "done"
        }
        var configuration = ToolExecutor.Configuration()
        configuration.maximumParallelCalls = 1
        configuration.approval = { call in
            log.append("ask \(call.id)")
            return call.id == "1" ? .denied(reason: "not today") : .approved
        }
        let unknown = ToolCall(id: "x", name: "unknown", arguments: "{}")
        let results = try await ToolExecutor(configuration: configuration).execute([unknown] + calls(3)) { name in
            name == "f" ? tool : nil
        }
        #expect(log.values == ["ask 0", "ask 1", "ask 2", "run 0", "run 2"])
        #expect(results.map(\.isError) == [true, false, true, false])
        #expect(results[2].output.contains("not today"))
    }

    @Test("A long answer is cut between characters, and says so")
    func longAnswer() async throws {
        var configuration = ToolExecutor.Configuration()
        configuration.maximumResultBytes = 6
        let executor = ToolExecutor(configuration: configuration)
        let tool = tool { _ in "äöüß" }
        let short = try await executor.execute(calls(1)) { _ in tool }
        #expect(short[0].output == "äöü\n[Cut: 6 of 8 bytes.]")
        configuration.maximumResultBytes = 5
        let odd = try await ToolExecutor(configuration: configuration).execute(calls(1)) { _ in tool }
        #expect(odd[0].output == "äö\n[Cut: 5 of 8 bytes.]")
    }

    @Test("Any interleaving of calls gives the same results", arguments: 0..<20)
    func interleavings(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...12, using: &random)
        let yields = (0..<count).map { _ in Int.random(in: 0..<40, using: &random) }
        var configuration = ToolExecutor.Configuration()
        configuration.maximumParallelCalls = Int.random(in: 1...6, using: &random)
        let tool = tool { arguments in
            let number = arguments["n"]?.integer ?? 0
            await disturbOrder(yields[number])
            if number % 4 == 3 { throw Broken() }
            return "\(number)"
        }
        let results = try await ToolExecutor(configuration: configuration).execute(calls(count)) { _ in tool }
        #expect(results.map(\.callID) == (0..<count).map(String.init))
        #expect(results.map(\.isError) == (0..<count).map { $0 % 4 == 3 })
    }
}
