// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Practice of one cue after another: a person records, listens, keeps, and sees the evaluation.
public struct PractiseCues: Sendable {
    /// A person's command; a command without a meaning in the present state is ignored.
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

    /// A report of the run.
    public enum Event: Hashable, Sendable {
        /// The new state.
        case state(PracticeState)
        /// The reading of the recording's meter.
        case meter(RecordingMeter)
        /// The position of a recording that plays, in seconds; `nil` once playback has ended.
        case playing(Double?)
        /// The number of the recording's bytes that the server has, and the total.
        case uploading(Int, of: Int)
        /// A result is stored.
        case stored(PracticeResult)
        /// A step outside the state machine failed; the state stays.
        case problem(DomainError)
    }

    /// The dependencies of practising.
    public struct Ports: Sendable {
        /// Records.
        public var recorder: any PracticeRecorder
        /// Plays.
        public var player: any RecordingPlayer
        /// Evaluates here and at once.
        public var device: any RecordingEvaluator
        /// Evaluates at the server; `nil` if no account is signed in or it is switched off.
        public var server: (any RecordingEvaluator)?
        /// Returns true if the server may be asked about a recording that was just kept; called each time.
        public var maySend: @Sendable () async -> Bool
        /// The store of results.
        public var results: any PracticeRepository
        /// The store of the server's evaluations.
        public var evaluations: any EvaluationStore
        /// Returns the next cue; one of those that were practised or passed over only if there is no other.
        public var nextCue: @Sendable (_ seen: Set<Identifier<Cue>>) async throws -> Cue
        /// The wall clock.
        public var now: @Sendable () -> Date
        /// The person's present calendar day.
        public var today: @Sendable () -> CalendarDate
        /// The time limit of the server's evaluation; called each time.
        public var serverTimeLimit: @Sendable () async throws -> Duration
        /// Measures that time limit.
        public var clock: any Clock<Duration>

        /// The ports.
        public init(
            recorder: any PracticeRecorder, player: any RecordingPlayer, device: any RecordingEvaluator,
            server: (any RecordingEvaluator)?, maySend: @escaping @Sendable () async -> Bool = { true },
            results: any PracticeRepository, evaluations: any EvaluationStore,
            nextCue: @escaping @Sendable (_ seen: Set<Identifier<Cue>>) async throws -> Cue,
            now: @escaping @Sendable () -> Date, today: @escaping @Sendable () -> CalendarDate,
            serverTimeLimit: @escaping @Sendable () async throws -> Duration = { .seconds(30) },
            clock: any Clock<Duration> = ContinuousClock()
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

    /// Practises until the commands end or the task is cancelled. A recording in progress is then discarded; what was
    /// kept is stored and evaluated here before this returns.
    ///
    /// - Parameters:
    ///   - cue: The first cue.
    ///   - commands: The person's commands.
    ///   - report: Called with each event, one after the other.
    public func callAsFunction(
        _ cue: Cue, commands: AsyncStream<Command>, report: @escaping @Sendable (Event) async -> Void
    ) async throws {
        try await PracticeRun(cue, ports, report: report).follow(commands)
    }
}
