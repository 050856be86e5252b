// SPDX-License-Identifier: MIT

import Diagnostics
import StructuredJSON
import Testing

@testable import Echo
@testable import EchoText

/// A voice conversation with a fake service and a fake device.
struct VoiceStage: Sendable {
    let echo: Echo
    let service: FakeVoiceService
    let device: VirtualVoiceDevice
    let text: ScriptedResponses
    let events: Collected<EchoEvent>
    let server: ScriptedRealtimeServer

    /// Runs `body`, and sees to it that nothing stays open.
    static func run(
        _ answers: [FakeVoiceService.Answer] = [], pace: VirtualVoiceDevice.Pace = .instant,
        text: [ScriptedResponses.Answer] = [], automaticToolExecution: Bool = true,
        configure: (inout EchoConfiguration) -> Void = { _ in }, body: (VoiceStage) async throws -> Void
    ) async throws {
        let service = FakeVoiceService(answers)
        let device = VirtualVoiceDevice(pace)
        try await ScriptedRealtimeServer.run(service.script) { server in
            var configuration = server.configuration
            configuration.voice.device = device
            configuration.voice.filler = nil
            configure(&configuration)
            let text = ScriptedResponses(text)
            let connection = APIConnection(key: "sk-test-1234", configuration: configuration)
            let echo = Echo(
                service: text, embeddings: NoEmbeddings(), connection: connection, meter: connection.meter,
                configuration: configuration, automaticToolExecution: automaticToolExecution, executor: ToolExecutor(),
                eventQueueLimit: 100_000)
            let events = Collected<EchoEvent>()
            echo.when(EventType.allCases) { event in events.append(event) }
            do {
                try await body(
                    VoiceStage(
                        echo: echo, service: service, device: device, text: text, events: events, server: server))
            } catch {
                await echo.close()
                throw error
            }
            await echo.close()
        }
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
