// SPDX-License-Identifier: MIT

/// The state of practising one cue, as a screen shows it.
///
/// The transitions are those of ``PracticeState/after(_:)``; any other is refused, so that a late event never
/// overwrites a state that a person has left.
public enum PracticeState: Hashable, Sendable {
    /// The cue is shown; nothing is recorded.
    case viewing(Cue)
    /// The person speaks, or pauses.
    case recording(Cue, isPaused: Bool)
    /// The recorded sound can be heard, kept, or recorded again.
    case reviewing(Cue, Recording, interrupted: DomainError?)
    /// It was kept. Once the result is stored, with this device's evaluation if there is one, the server's is awaited.
    case waiting(Cue, Recording, Evaluation?, isStored: Bool)
    /// It is stored, with the evaluations that exist; the error says why one is missing.
    case result(Cue, Recording, [Evaluation], DomainError?)
    /// A step failed, and nothing was stored; it can be tried again.
    case failed(Cue, DomainError)

    /// An event that changes the state.
    public enum Event: Hashable, Sendable {
        /// The person starts to record, or to record again.
        case record
        /// The person pauses.
        case pause
        /// The person continues after a pause.
        case resume
        /// The recording ended, by the person or, with an error, by itself; the recorded sound exists.
        case recorded(Recording, interrupted: DomainError?)
        /// The person threw the recording away.
        case discard
        /// The person keeps the recording.
        case keep
        /// The result is stored, with this device's evaluation if there is one.
        case stored(Evaluation?)
        /// The server's evaluation arrived.
        case evaluated(Evaluation)
        /// No further evaluation is expected; the error says why one is missing.
        case finish(DomainError?)
        /// Recording, or keeping what was recorded, failed.
        case fail(DomainError)
        /// The next cue.
        case next(Cue)
    }

    /// The state after an event, or `nil` when the event has no meaning in this state and changes nothing.
    public func after(_ event: Event) -> PracticeState? {
        switch (self, event) {
        case (.viewing(let cue), .record), (.reviewing(let cue, _, _), .record), (.failed(let cue, _), .record),
            (.result(let cue, _, _, _), .record):
            .recording(cue, isPaused: false)
        case (.recording(let cue, isPaused: false), .pause): .recording(cue, isPaused: true)
        case (.recording(let cue, isPaused: true), .resume): .recording(cue, isPaused: false)
        case (.recording(let cue, _), .recorded(let recording, let error)):
            .reviewing(cue, recording, interrupted: error)
        case (.recording(let cue, _), .discard), (.reviewing(let cue, _, _), .discard), (.failed(let cue, _), .discard):
            .viewing(cue)
        case (.recording(let cue, _), .fail(let error)), (.viewing(let cue), .fail(let error)),
            (.reviewing(let cue, _, _), .fail(let error)):
            .failed(cue, error)
        case (.reviewing(let cue, let recording, _), .keep): .waiting(cue, recording, nil, isStored: false)
        case (.waiting(let cue, let recording, _, _), .stored(let device)):
            .waiting(cue, recording, device, isStored: true)
        case (.waiting(let cue, let recording, let device, _), .evaluated(let evaluation)):
            .result(cue, recording, [device, evaluation].compactMap(\.self), nil)
        case (.waiting(let cue, let recording, let device, _), .finish(let error)):
            .result(cue, recording, [device].compactMap(\.self), error)
        case (.waiting(let cue, _, _, _), .fail(let error)): .failed(cue, error)
        case (.waiting(_, _, _, isStored: true), .next(let cue)): .viewing(cue)
        case (.viewing, .next(let cue)), (.result, .next(let cue)), (.failed, .next(let cue)): .viewing(cue)
        default: nil
        }
    }
}

extension PracticeState {
    /// The cue on the screen.
    public var cue: Cue {
        switch self {
        case .viewing(let cue), .recording(let cue, _), .reviewing(let cue, _, _), .waiting(let cue, _, _, _),
            .result(let cue, _, _, _), .failed(let cue, _):
            cue
        }
    }
}
