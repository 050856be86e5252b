// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Somebody practises one cue after another: records, listens, keeps, and sees what became of it.
public struct PractiseCues: Sendable {
    /// What a person can ask for; what has no meaning at the moment is ignored.
    public enum Command: Hashable, Sendable {
        /// Record, or record again.
        case record
        /// Pause while recording.
        case pause
        /// Go on after a pause.
        case resume
        /// End the recording.
        case stop
        /// Throw it away.
        case discard
        /// Hear it.
        case play
        /// Stop hearing it.
        case stopPlaying
        /// Keep it, with the person's own judgement if there is one.
        case keep(ReviewRating?)
        /// The next cue.
        case next
    }

    /// What happens meanwhile.
    public enum Event: Hashable, Sendable {
        /// Where it stands.
        case state(PracticeState)
        /// How the recording goes.
        case meter(RecordingMeter)
        /// What was heard so far of a recording that plays, in seconds; `nil` when it plays no more.
        case playing(Double?)
        /// The server has so many bytes of the recording, of so many.
        case uploading(Int, of: Int)
        /// A result is stored.
        case stored(PracticeResult)
        /// Something beside the way failed; the state stays.
        case problem(DomainError)
        /// There is no further cue.
        case noMoreCues
    }

    /// What practising needs.
    public struct Ports: Sendable {
        /// Records.
        public var recorder: any PracticeRecorder
        /// Plays.
        public var player: any RecordingPlayer
        /// Evaluates here and at once.
        public var device: any RecordingEvaluator
        /// Evaluates at the server; `nil` when nobody is signed in or it is switched off.
        public var server: (any RecordingEvaluator)?
        /// If the server may be asked about a recording that was kept just now; asked each time.
        public var maySend: @Sendable () async -> Bool
        /// Where results go.
        public var results: any PracticeRepository
        /// Where the server's evaluations go.
        public var evaluations: any EvaluationStore
        /// The next cue; what was practised in this run should come again only when nothing else is there.
        public var nextCue: @Sendable (_ practised: Set<Identifier<Cue>>) async throws -> Cue?
        /// The wall clock.
        public var now: @Sendable () -> Date
        /// Which day it is where the person is.
        public var today: @Sendable () -> CalendarDate
        /// How long the server's evaluation is waited for.
        public var serverTimeLimit: Duration
        /// What that is measured by.
        public var clock: any Clock<Duration>

        /// The ports.
        public init(
            recorder: any PracticeRecorder, player: any RecordingPlayer, device: any RecordingEvaluator,
            server: (any RecordingEvaluator)?, maySend: @escaping @Sendable () async -> Bool = { true },
            results: any PracticeRepository, evaluations: any EvaluationStore,
            nextCue: @escaping @Sendable (_ practised: Set<Identifier<Cue>>) async throws -> Cue?,
            now: @escaping @Sendable () -> Date, today: @escaping @Sendable () -> CalendarDate,
            serverTimeLimit: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock()
        ) {
            self.recorder = recorder
            self.player = player
            self.device = device
            self.server = server
            self.maySend = maySend
            self.results = results
            self.evaluations = evaluations
            self.nextCue = nextCue
            self.now = now
            self.today = today
            self.serverTimeLimit = serverTimeLimit
            self.clock = clock
        }
    }

    private let ports: Ports

    /// A use case.
    public init(_ ports: Ports) { self.ports = ports }

    /// Practises until the commands end or the task is cancelled. What is being recorded then is thrown away; what was kept is
    /// stored and evaluated here before this returns.
    ///
    /// - Parameters:
    ///   - cue: The first cue.
    ///   - commands: What the person asks for.
    ///   - report: Is told of each event, one after the other.
    public func callAsFunction(
        _ cue: Cue, commands: AsyncStream<Command>, report: @escaping @Sendable (Event) async -> Void
    ) async throws {
        try await PracticeRun(cue, ports, report: report).follow(commands)
    }
}
