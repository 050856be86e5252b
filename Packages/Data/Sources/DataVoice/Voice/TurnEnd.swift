// SPDX-License-Identifier: MIT

import Domain
import Speech
import VoiceActivity

/// Decides in a pause that a question is over: by its words, the way in which the voice ended, and the person's own pauses
/// so far. Pure.
struct TurnEnd: Sendable {
    private let questionEnd = QuestionEnd()
    private let policy: PausePolicy
    private var habit = PauseHabit()
    /// The words so far, recognised when the pause began.
    private(set) var draft: Recognition?
    /// The question that was asked, unless the person goes on; nil outside of a pause, and if the words make none.
    private(set) var foreseen: Transcript?
    private var needed: Duration?

    /// Begins without knowledge of the person.
    init(policy: PausePolicy = PausePolicy()) { self.policy = policy }

    /// A pause began after these words; nil if they are not known.
    mutating func pauseBegan(_ draft: Recognition?, after contour: SpeechContour) {
        forget()
        self.draft = draft
        guard let draft, draft.outcome == .accepted else { return }
        let verdict = questionEnd.verdict(on: draft.text)
        guard verdict != .unfinished else { return }
        foreseen = Transcript(text: draft.text, confidence: draft.confidence)
        needed = policy.pause(
            after: PausePolicy.Evidence(
                isCertain: verdict == .certain, confidence: draft.confidence, contour: contour,
                usualPause: habit.usual))
    }

    /// The question, if the pause has lasted for long enough after its words.
    func question(after silence: Duration) -> Recognition? {
        guard let needed, silence >= needed else { return nil }
        return draft
    }

    /// The person went on after a pause.
    mutating func resumed(after pause: Duration) {
        habit.paused(for: pause)
        forget()
    }

    /// The question is over.
    mutating func ended() {
        habit.ended()
        forget()
    }

    /// The words before the pause count no more.
    mutating func forget() { (draft, foreseen, needed) = (nil, nil, nil) }
}
