// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import StructuredJSON

/// The state that all endpoints share: the scenario and its progress, identifiers, stored responses, the log.
final class SimulatorCore: Sendable {
    private struct State {
        var scenario: Scenario
        var random: SplitMix64
        var stored: [String: StoredResponse] = [:]
        var sessions: UInt64 = 0
    }

    let configuration: SimulatorConfiguration
    /// The requests so far, in the order in which their headers arrived.
    let requests = Monitor<[RecordedRequest]>([])
    /// The sessions of `/v1/realtime` that are open, in the order of their opening.
    let sessions = Monitor<[RealtimePeer]>([])
    private let state: Guarded<State>

    init(scenario: Scenario, configuration: SimulatorConfiguration) {
        self.configuration = configuration
        state = Guarded(State(scenario: scenario, random: SplitMix64(seed: configuration.seed)))
    }

    /// The scenario with the turns that are left.
    var scenario: Scenario {
        get { state.withLock { $0.scenario } }
        set { state.withLock { $0.scenario = newValue } }
    }

    func identifier(_ prefix: String, digits: Int = 48) -> String {
        state.withLock { $0.random.identifier(prefix, digits: digits) }
    }

    /// Puts a turn before all others.
    func insert(_ turn: Scenario.Turn) {
        state.withLock { $0.scenario.turns.insert(turn, at: 0) }
    }

    /// The turn that answers this request, used up by one.
    ///
    /// - Throws: Status 400 if no turn fits and the scenario demands one.
    func turn(path: String, said: String?, body: JSONValue?) throws(APIError) -> Scenario.Turn {
        try take(.request, path: path, said: said, body: body) ?? Scenario.Turn()
    }

    /// A turn of that kind, used up by one; `nil` if no turn fits and none has to.
    func take(
        _ kind: Scenario.TurnKind, path: String, said: String?, body: JSONValue?
    ) throws(APIError) -> Scenario.Turn? {
        let result = state.withLock { state -> Result<Scenario.Turn?, APIError> in
            var reasons: [String] = []
            for (place, turn) in state.scenario.turns.enumerated() {
                guard
                    let reason = turn.otherKind(than: kind) ?? turn.match.mismatch(path: path, said: said, body: body)
                else {
                    state.scenario.useUp(place)
                    return .success(turn)
                }
                reasons.append(reason)
                if state.scenario.isOrdered { break }
            }
            // These turns are optional.
            if kind == .opening || kind == .spoken { return .success(nil) }
            if state.scenario.otherwise == .plausible { return .success(nil) }
            let why = reasons.isEmpty ? "no turn is left" : reasons.joined(separator: "; ")
            return .failure(
                APIError(
                    status: 400, message: "The scenario \(state.scenario.name) has no turn for this request: \(why).",
                    type: "scenario_error", code: "no_matching_turn"))
        }
        return try result.get()
    }

    /// Takes the turns of a session of `/v1/realtime`.
    func sessionTurns(path: String = "/v1/realtime") -> RealtimeSessionState.Turns {
        { kind, said, body throws(RealtimeProblem) in
            do throws(APIError) {
                return try self.take(kind == .spoken ? .spoken : .answer, path: path, said: said, body: body)
            } catch {
                throw RealtimeProblem(error)
            }
        }
    }

    /// The seed of the next session's identifiers.
    func sessionSeed() -> UInt64 {
        state.withLock { state in
            state.sessions += 1
            return configuration.seed &* 1_000_003 &+ state.sessions
        }
    }

    func store(_ response: StoredResponse) { state.withLock { $0.stored[response.id] = response } }

    func stored(_ id: String) -> StoredResponse? { state.withLock { $0.stored[id] } }

    func update(_ id: String, _ change: @Sendable (inout StoredResponse) -> Void) -> StoredResponse? {
        state.withLock { state in
            guard var response = state.stored[id] else { return nil }
            change(&response)
            state.stored[id] = response
            return response
        }
    }

    func removeStored(_ id: String) -> Bool { state.withLock { $0.stored.removeValue(forKey: id) != nil } }
}

extension SplitMix64 {
    /// An identifier as the API makes them, such as `resp_` and 48 hexadecimal digits.
    mutating func identifier(_ prefix: String, digits: Int = 48) -> String { prefix + hexadecimalDigits(digits) }
}
