// SPDX-License-Identifier: MIT

import HTTPServer
import Networking
import StructuredJSON

/// `GET /v1/realtime`, a WebSocket.
struct RealtimeEndpoint: Sendable {
    let core: SimulatorCore

    func register(in router: inout Router, with gate: Gate) {
        router.get("/v1/realtime") { request in
            try await gate.answer(request) { exchange throws(APIError) in try open(request, exchange) }
        }
    }

    private func open(_ request: ServerRequest, _ exchange: Exchange) throws(APIError) -> Gate.Answer {
        let query = Dictionary(request.query.items.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
        let model = query["model"] ?? ""
        guard !model.isEmpty || query["intent"] == "transcription" else {
            throw .invalidValue("model", "You must provide a model parameter.", code: "missing_model")
        }
        guard model.isEmpty || knows(model) else { throw .unknownModel(model) }
        let turn = try core.take(.opening, path: exchange.path, said: nil, body: nil)
        let setup = setup(model.isEmpty ? "gpt-realtime" : model, turn, path: exchange.path)
        return Gate.Answer(turn: turn ?? Scenario.Turn()) { _, _ in
            var configuration = WebSocketConfiguration()
            configuration.maximumMessageSize = 32 << 20
            let session = RealtimeServing(core: core, exchange: exchange, setup: setup)
            exchange.note(status: 101)
            return try .webSocket(for: request, subprotocols: ["realtime"], configuration: configuration) {
                connection in
                await session.serve(connection)
            }
        }
    }

    private func knows(_ model: String) -> Bool {
        let scenario = core.scenario
        return SimulatorModels.realtime.contains(model) || scenario.models.contains(model) || !scenario.dialect.isStrict
    }

    private func setup(
        _ model: String, _ turn: Scenario.Turn?, path: String
    ) -> RealtimeSessionState.Setup {
        var setup = RealtimeSessionState.Setup()
        setup.model = model
        setup.seed = core.sessionSeed()
        setup.limit = turn?.session?.expiresAfter ?? core.configuration.sessionLimit
        setup.expiresAt = core.configuration.now() + Int(setup.limit.components.seconds)
        setup.opening = turn
        setup.isStrict = core.scenario.dialect.isStrict
        setup.take = core.sessionTurns(path: path)
        return setup
    }
}
