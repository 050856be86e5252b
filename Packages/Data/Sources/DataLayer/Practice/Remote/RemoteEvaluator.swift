// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import Networking
import PracticeWire

/// The server's evaluation: uploads the recording, then follows the server's events, and polls if the events do not
/// arrive.
public struct RemoteEvaluator: RecordingEvaluator {
    /// The time limits of the wait.
    public struct Configuration: Sendable {
        /// The time limit of the evaluation after the upload; 30 s.
        public var timeLimit: Duration = .seconds(30)
        /// The time between two polls without events; 2 s.
        public var pollingInterval: Duration = .seconds(2)

        /// Makes the default configuration.
        public init() {}
    }

    private let server: PracticeServer
    private let recordings: RemoteRecordingRepository
    private let local: any RecordingRepository
    private let configuration: Configuration
    private let clock: any Clock<Duration>

    /// Makes an evaluator.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - recordings: The server's recordings.
    ///   - local: The recordings on this device, with their sound.
    ///   - configuration: The time limits of the wait.
    ///   - clock: The clock of the wait.
    public init(
        _ server: PracticeServer, recordings: RemoteRecordingRepository, local: any RecordingRepository,
        configuration: Configuration = Configuration(), clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.server = server
        self.recordings = recordings
        self.local = local
        self.configuration = configuration
        self.clock = clock
    }

    /// See `RecordingEvaluator`.
    ///
    /// Throws `DomainError.timedOut` if the server takes too long, and `DomainError.server` if it reports that there
    /// will be no evaluation. An upload from the queue that is under way continues with the same bytes; the server
    /// keeps one.
    public func evaluate(_ recording: Recording, of cue: Cue) -> AsyncThrowingStream<EvaluationProgress, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    try await run(recording) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func run(_ recording: Recording, tell: @escaping @Sendable (EvaluationProgress) -> Void) async throws {
        if try await recordings.recording(recording.id) == nil {
            let content = try await local.content(of: recording.id)
            try await recordings.upload(recording, content: content) { sent in
                tell(.uploading(sent, of: recording.byteCount))
            }
        }
        tell(.analysing)
        let (configuration, clock) = (configuration, clock)
        let evaluation = try await withThrowingTaskGroup(of: Evaluation.self) { group in
            group.addTask { try await followed(recording.id) }
            group.addTask {
                try await clock.sleep(for: configuration.timeLimit)
                throw DomainError.timedOut(.evaluation)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
        tell(.done(evaluation))
    }

    /// The evaluation by events, or by polling if events fail.
    private func followed(_ id: Identifier<Recording>) async throws -> Evaluation {
        var verdict: Verdict?
        do {
            verdict = try await domainErrors { try await byEvents(id) }
        } catch let error as DomainError where error.isTransient {
            // A proxy may hold events back; polling may still work.
        }
        if verdict == nil { verdict = try await byQuestions(id) }
        guard let verdict else { throw CancellationError() }
        return try verdict.get()
    }

    private func byEvents(_ id: Identifier<Recording>) async throws -> Verdict? {
        var configuration = EventSource.Configuration()
        configuration.maximumFailures = 2
        let request = HTTPRequest(
            .get, try server.url([SyncedKind.recording.path, id.description, "evaluation", "events"]))
        let events = EventSource(request, transport: server.client, configuration: configuration, clock: clock)
        for try await event in events where event.type == "state" {
            if let verdict = try Self.verdict(try PracticeServer.read(Array(event.data.utf8))) { return verdict }
        }
        return nil
    }

    private func byQuestions(_ id: Identifier<Recording>) async throws -> Verdict {
        while true {
            do {
                let path = [SyncedKind.recording.path, id.description, "evaluation"]
                if let verdict = try Self.verdict(try await server.value(.get, path)) { return verdict }
            } catch let error as DomainError where error.isTransient {
                // The time limit ends the loop.
            }
            try await clock.sleep(for: configuration.pollingInterval)
        }
    }

    /// The server's final answer; a refusal must not count as a failure of the connection.
    private typealias Verdict = Result<Evaluation, DomainError>

    private static func verdict(_ state: EvaluationStateDTO) throws -> Verdict? {
        if state.stage == .failed {
            return .failure(.server(state.reason.map(Sentence.init(verbatim:)) ?? "The server could not evaluate it."))
        }
        return try mapped { () throws(MappingFailure) in try state.finished() }.map(Verdict.success)
    }

    /// The server's final answer about a recording, without waiting; `nil` while there is none.
    ///
    /// - Throws: `DomainError.notFound` if the server has no such recording.
    static func verdict(
        of id: Identifier<Recording>, at server: PracticeServer
    ) async throws -> Result<Evaluation, DomainError>? {
        try verdict(try await server.value(.get, [SyncedKind.recording.path, id.description, "evaluation"]))
    }
}
