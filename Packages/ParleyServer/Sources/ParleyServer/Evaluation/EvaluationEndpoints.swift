// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import HTTPServer
import Networking
import PracticeWire

/// A recording's evaluation: once, or as it changes.
struct EvaluationEndpoints: Sendable {
    let jobs: EvaluationJobs
    let changes: ChangeStreams<AwaitedEvaluation>
    let streams: StreamAccess

    func add(to router: inout Router, _ access: AuthenticationMiddleware) {
        let path = "/\(SyncedKind.recording.path)/{id}/evaluation"
        router.member(.get, path, access) { member, request in
            guard let state = try await jobs.state(of: request.identifier(), account: member.account) else {
                throw ServerProblem.notFound
            }
            return try .json(state)
        }
        router.member(.get, path + "/events", access, handler: events)
    }

    private func events(_ member: Member, _ request: ServerRequest) async throws -> ServerResponse {
        let id: Identifier<Recording> = try request.identifier()
        guard try await jobs.state(of: id, account: member.account) != nil else { throw ServerProblem.notFound }
        let stream = try changes.stream(of: AwaitedEvaluation(account: member.account, recording: id))
        return .events { events in try await streams.run { try await send(events, stream, of: id, member) } }
    }

    /// Sends the state now and after each change, until the evaluation has ended.
    private func send(
        _ events: EventWriter, _ stream: AsyncStream<Void>, of id: Identifier<Recording>, _ member: Member
    ) async throws {
        var last: EvaluationStateDTO?
        for await _ in stream {
            // Missing if it was deleted meanwhile.
            guard try await streams.holds(member.accessToken),
                let state = try await jobs.state(of: id, account: member.account)
            else { return }
            if state != last {
                let data = String(decoding: try WireJSON.encode(state), as: UTF8.self)
                try await events.send(ServerSentEvent(type: "state", data: data))
                last = state
            }
            if state.stage == .done || state.stage == .failed { return }
        }
    }
}
