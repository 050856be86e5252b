// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A person's answer to the question whether recordings and results may be sent to their account's server.
public struct UploadConsent: Hashable, Sendable {
    /// The answer.
    public enum Decision: String, Hashable, Sendable, CaseIterable {
        /// They may be sent.
        case given
        /// They may not, and never might.
        case declined
        /// They may not any more.
        case withdrawn
    }

    /// The version of the question's text. It grows when the meaning of the text changes; an older yes then ends, and
    /// the person is asked again.
    public static let currentTextVersion = 1

    /// The answer.
    public let decision: Decision
    /// The time of the answer.
    public let decidedAt: Date
    /// The version of the text that was answered.
    public let textVersion: Int

    /// An answer, by default to the current text.
    public init(_ decision: Decision, at decidedAt: Date, textVersion: Int = UploadConsent.currentTextVersion) {
        self.decision = decision
        self.decidedAt = decidedAt
        self.textVersion = textVersion
    }
}

/// The permission to send recordings and results from this machine, and the rule that decides it.
public enum UploadPermission: Hashable, Sendable {
    /// They may.
    case allowed
    /// They may not.
    case refused(Reason)

    /// The reason why sending is refused.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The person was not asked yet.
        case notAsked
        /// The person said yes to an older text.
        case textChanged
        /// The person said no.
        case declined
        /// The person took their yes back.
        case withdrawn
        /// The server has switched uploads off (`remoteEvaluation`).
        case switchedOff
    }

    /// Applies the rule.
    ///
    /// - Parameters:
    ///   - consent: The person's answer; nil before it.
    ///   - textVersion: The version of the text that this program shows.
    ///   - isSwitchedOn: The server's flag.
    public init(
        consent: UploadConsent?, textVersion: Int = UploadConsent.currentTextVersion, isSwitchedOn: Bool
    ) {
        switch consent?.decision {
        case nil: self = .refused(.notAsked)
        case .declined: self = .refused(.declined)
        case .withdrawn: self = .refused(.withdrawn)
        case .given where consent?.textVersion != textVersion: self = .refused(.textChanged)
        case .given: self = isSwitchedOn ? .allowed : .refused(.switchedOff)
        }
    }

    /// True if the person still has to be asked.
    public var needsAnswer: Bool { self == .refused(.notAsked) || self == .refused(.textChanged) }

    /// Throws if sending is refused.
    ///
    /// - Throws: ``DomainError/notAllowed(_:)``.
    public func check() throws(DomainError) {
        guard case .refused(let reason) = self else { return }
        throw .notAllowed(reason)
    }
}

/// Counts of what a person's answer holds back on this device, and of what it could send besides.
public struct HeldUploads: Hashable, Sendable {
    /// Recordings and results of the account that were kept while sending was refused.
    public var held: Int
    /// Recordings and results from before the first sign-in.
    public var unowned: Int

    /// Counts.
    public init(held: Int = 0, unowned: Int = 0) {
        self.held = held
        self.unowned = unowned
    }

    /// Recordings and results in all.
    public var count: Int { held + unowned }
}

/// Stores each account's answer. Every implementation passes `UploadConsentStoreContract` in `DomainTestSupport`.
///
/// Methods throw ``DomainError`` or `CancellationError`, and may be called concurrently, also from several processes.
public protocol UploadConsentStore: Sendable {
    /// The last answer for an account; nil before the first.
    func consent(of account: String) async throws -> UploadConsent?

    /// Stores an answer in place of the previous one. When it returns, the answer survives a crash. After any answer
    /// but a yes, no process sends what was waiting.
    ///
    /// - Parameter includingEarlier: Also sends what was held back and what was kept before the first sign-in. For a
    ///   yes only.
    func store(_ consent: UploadConsent, of account: String, includingEarlier: Bool) async throws

    /// Counts what an account holds back.
    func held(of account: String) async throws -> HeldUploads

    /// Yields an element at once, and after each change of the account's data by this process or another one. Changes
    /// between two reads are one element. Ends when its task is cancelled or the store is closed.
    func changes(of account: String) -> AsyncStream<Void>
}
