// SPDX-License-Identifier: MIT

import Domain
import TerminalKit

/// The first steps of a person: each is tried or skipped, in their order.
struct FirstSteps: Sendable {
    /// A part of the machine or of the assistant that is tried.
    enum Step: CaseIterable, Sendable {
        case microphone, loudspeaker, voice, assistant, consent
    }

    /// The result of a step.
    enum Outcome: Sendable, Equatable {
        case works, failed, skipped
    }

    /// A typed line, as far as a step understands it.
    enum Reply: Sendable, Equatable {
        case attempt, skip, end

        /// Reads a line; nil for another word, and the end of the input ends the steps.
        init?(_ line: String?) {
            switch line?.lowercased() {
            case "": self = .attempt
            case "s": self = .skip
            case "q", nil: self = .end
            default: return nil
            }
        }
    }

    /// The results so far. A step that failed is the next one again, until it is skipped.
    private(set) var outcomes: [Step: Outcome] = [:]
    private var isOver = false

    /// The step to ask about; nil at the end.
    var next: Step? { isOver ? nil : Step.allCases.first { outcomes[$0] == nil || outcomes[$0] == .failed } }

    /// Takes a reply that is no attempt.
    mutating func take(_ reply: Reply, for step: Step) {
        switch reply {
        case .attempt: break
        case .skip: outcomes[step] = .skipped
        case .end: isOver = true
        }
    }

    /// Takes the result of an attempt.
    mutating func tried(_ step: Step, works: Bool) { outcomes[step] = works ? .works : .failed }
}

extension FirstSteps.Step {
    /// The heading.
    var title: Sentence {
        switch self {
        case .microphone: "1. Microphone"
        case .loudspeaker: "2. Loudspeaker"
        case .voice: "3. Voice"
        case .assistant: "4. Assistant"
        case .consent: "5. Consent"
        }
    }

    /// A sentence about the attempt.
    var text: Sentence {
        switch self {
        case .microphone: "Speak for five seconds: the bar shows how loud you are."
        case .loudspeaker: "Parley says a sentence."
        case .voice: "Ask aloud, in English: What is the capital of Texas?"
        case .assistant: "US states are answered on this device; a model answers the rest, if one is in use."
        case .consent: "Recordings and results of practice are sent to your own server only if you agree."
        }
    }
}
