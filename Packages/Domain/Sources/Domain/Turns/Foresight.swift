// SPDX-License-Identifier: MIT

/// Has the answer to a question ready that a person has probably finished: while the pause still lasts, the answer is
/// found, if that costs nothing and has no effect, and its first sentence is made into sound.
///
/// What was made ready is used if the same sentence is spoken next, and else thrown away.
actor Foresight {
    private let answerQuestion: AnswerQuestion
    private let speaker: any SpeechSpeaker
    private var expected: String?
    private var work: Task<Void, Never>?

    init(_ answerQuestion: AnswerQuestion, _ speaker: any SpeechSpeaker) {
        (self.answerQuestion, self.speaker) = (answerQuestion, speaker)
    }

    deinit { work?.cancel() }

    /// Makes ready for a question, beside the caller, and gives up the one before.
    func expect(_ question: Transcript, in ongoing: OngoingConversation?) {
        guard question.text != expected else { return }
        forget()
        expected = question.text
        work = Task { [answerQuestion, speaker] in
            guard let text = await answerQuestion.foresee(question, in: ongoing), !Task.isCancelled else { return }
            speaker.prepare(text)
        }
    }

    /// Returns when what is expected is ready.
    func isReady() async { await work?.value }

    /// Expects nothing any more: the question is there, or the person goes on.
    func forget() {
        work?.cancel()
        (work, expected) = (nil, nil)
    }
}
