// SPDX-License-Identifier: MIT

import Diagnostics
import EchoSimulator
import Testing

@testable import Echo
@testable import EchoText

/// A voice conversation with EchoSimulator and a virtual device.
struct VoiceStage: Sendable {
    let echo: Echo
    let service: ScriptedVoice
    let device: VirtualVoiceDevice
    let text: ScriptedResponses
    let events: Collected<EchoEvent>

    /// Runs `body`, and sees to it that nothing stays open.
    ///
    /// - Parameter answers: The service's answers; without any it answers nothing.
    static func run(
        _ answers: [ScriptedAnswer] = [], cues: [Scenario.Cue] = [], pace: VirtualVoiceDevice.Pace = .instant,
        text: [ScriptedResponses.Answer] = [], automaticToolExecution: Bool = true,
        executor: ToolExecutor = ToolExecutor(),
        configure: (inout EchoConfiguration) -> Void = { _ in }, body: (VoiceStage) async throws -> Void
    ) async throws {
        let device = VirtualVoiceDevice(pace)
        let cues = cues + (answers.isEmpty ? [.answersNothing] : [])
        var settings = SimulatorConfiguration()
        settings.speak = { text in
            let milliseconds = answers.first { $0.text == text }?.milliseconds ?? 100
            return [Int16](repeating: 0x0707, count: milliseconds * 24)
        }
        let opening = Scenario.Turn(times: .max, session: .init(cues: cues))
        let simulator = try await EchoSimulator.start(
            scenario: Scenario([opening] + answers.map(\.turn)), configuration: settings)
        var configuration = EchoConfiguration()
        configuration.endpoint = EchoEndpoint(baseURL: "\(simulator.baseURL)")
        configuration.voice.device = device
        configuration.voice.filler = nil
        configure(&configuration)
        simulator.scenario.models = Array(configuration.endpoint.models)
        let text = ScriptedResponses(text)
        let connection = APIConnection(key: "sk-test-1234", configuration: configuration)
        let echo = Echo(
            service: text, embeddings: NoEmbeddings(), connection: connection, meter: connection.meter,
            configuration: configuration, automaticToolExecution: automaticToolExecution, executor: executor,
            eventQueueLimit: 100_000)
        let events = Collected<EchoEvent>()
        echo.when(EventType.allCases) { event in events.append(event) }
        let stage = VoiceStage(
            echo: echo, service: ScriptedVoice(simulator: simulator), device: device, text: text, events: events)
        do { try await body(stage) } catch {
            await echo.close()
            await simulator.close()
            throw error
        }
        await echo.close()
        await simulator.close()
        #expect(device.openCount == 0)
    }

    /// The first event that fits, as soon as there is one.
    func event(_ fits: (EchoEvent) -> Bool) async throws -> EchoEvent {
        var count = 0
        while true {
            let values = events.values
            if let event = values.dropFirst(count).first(where: fits) { return event }
            count = values.count
            _ = try await events.first(count + 1)
        }
    }

    /// As soon as there was an event of that type.
    func first(_ type: EventType) async throws -> EchoEvent { try await event { $0.type == type } }

    /// How many events of that type there were.
    func count(_ type: EventType) -> Int { events.values.count { $0.type == type } }

    /// Returns when so many messages are finalised.
    func messages(_ count: Int, of conversation: Conversation) async throws -> [Message] {
        var messages: [Message] = []
        for await message in conversation.messages {
            messages.append(message)
            if messages.count == count { return messages }
        }
        throw TimeIsOver("\(messages.count) of \(count) messages have come: \(messages)")
    }
}
