// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A question that only a model can answer, and that waits until it can.
public struct WaitingQuestion: Sendable, Hashable, Identifiable {
    /// The turn that begins with it.
    public let turn: TurnID
    /// The conversation that it belongs to.
    public let conversation: Conversation
    /// The words.
    public let text: String
    /// The form in which it was asked.
    public let modality: Message.Modality
    /// The time of the question.
    public let askedAt: Date

    /// A question.
    public init(
        turn: TurnID, conversation: Conversation, text: String, modality: Message.Modality = .text, askedAt: Date
    ) {
        self.turn = turn
        self.conversation = conversation
        self.text = text
        self.modality = modality
        self.askedAt = askedAt
    }

    /// The turn.
    public var id: TurnID { turn }
}

/// The stage of a question that waits.
public enum WaitingStage: Sendable, Hashable {
    /// It waits for the model.
    case waiting
    /// A program is at it.
    case inProgress
    /// It failed for a reason that waiting does not mend.
    case stuck(String)
}

/// The outcome of an attempt to answer.
public enum WaitingOutcome: Sendable, Hashable {
    /// It has its answer.
    case answered
    /// The model is still away; the attempt does not count.
    case stillWaiting
    /// Waiting does not help, for this reason.
    case stuck(String)
}

/// The questions that wait for a model. Several programs may use the same ones. Every implementation passes
/// `WaitingQuestionsContract` in `DomainTestSupport`.
///
/// Each function throws ``DomainError/storage(_:)`` or `CancellationError`.
public protocol WaitingQuestions: Sendable {
    /// Keeps a question. It survives a crash once this returns; one that is kept already is not kept twice.
    func keep(_ question: WaitingQuestion) async throws

    /// All questions with their stages, in the order in which they were kept.
    func all() async throws -> [(question: WaitingQuestion, stage: WaitingStage)]

    /// Gives a question up, at any stage.
    ///
    /// - Throws: ``DomainError/notFound(_:)``.
    func cancel(_ turn: TurnID) async throws

    /// Lets stuck questions wait again.
    func retryStuck() async throws

    /// Hands the waiting questions to `answer`, one after another, until none waits or the outcome of one is
    /// ``WaitingOutcome/stillWaiting``. No other caller, of any program, has the same question meanwhile; one whose
    /// caller dies waits again after a time.
    ///
    /// - Returns: The number of questions that were answered.
    func answerAll(_ answer: @escaping @Sendable (WaitingQuestion) async -> WaitingOutcome) async throws -> Int

    /// Returns when a question waits or is in progress; any program may keep it.
    func untilSomeWait() async throws
}
