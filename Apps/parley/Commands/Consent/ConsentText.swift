// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import FoundationEssentials
import TerminalKit

/// The question about uploads. A change of its meaning raises `UploadConsent.currentTextVersion`.
struct ConsentText: Sendable {
    /// The account's server.
    let server: String
    /// The number of days that the server keeps sent data; nil if the server does not say it.
    let days: Int?

    /// The text above the question in the person's language; a translation says that the English text holds.
    func shown(_ console: Console) -> [String] {
        let note: [Sentence] = console.isTranslated ? [Self.translation] : []
        return (lines + note).map(console.text)
    }

    /// The text above the question.
    var lines: [Sentence] {
        [
            "May parley send what you practise to your server, \(server.printable)?",
            "  Sent       each recording that you keep, and its result: the cue, your rating, the words that were heard.",
            "  Where      to this server and to no other. Its operator can listen to what you send.",
            "  What for   the server evaluates how you speak, and your other devices show your results.",
            days.map { days in
                Sentence(
                    one: "  How long   the server deletes it after \(days) day. You can delete it at any time.",
                    other: "  How long   the server deletes it after \(days) days. You can delete it at any time.",
                    count: days)
            } ?? Self.unknownTime,
            "  Take back  parley consent withdraw stops it at once and offers to delete what was sent.",
            "Without your yes everything stays on this device, and parley works all the same.",
        ]
    }

    private static let unknownTime: Sentence =
        "  How long   as long as the server's operator says; the server names no time. You can delete it at any time."

    private static let translation: Sentence =
        "This is a translation of version \(UploadConsent.currentTextVersion) of the text. If they differ, the English text holds: PARLEY_LANGUAGE=en "
        + "parley consent show"
}

/// The answer to the question, typed as a whole word.
enum UploadAnswer: String, Sendable, CaseIterable {
    case yes
    case no
    case later

    /// The prompt before the answer.
    static let prompt: Sentence = "Type yes, no or later, and Enter: "

    /// Reads a line; nil if it is no answer.
    init?(_ line: String) {
        self.init(rawValue: line.trimmingWhitespace.lowercased())
    }

    /// The decision to store; nil for a postponed answer.
    var decision: UploadConsent.Decision? {
        switch self {
        case .yes: .given
        case .no: .declined
        case .later: nil
        }
    }

    /// The confirmation that follows the answer.
    var reply: Sentence {
        switch self {
        case .yes: "Recordings and results that you keep are sent from now on. Take it back: parley consent withdraw"
        case .no: "Nothing is sent. Change that with parley consent give"
        case .later: "Nothing is sent for now."
        }
    }
}

extension PracticeSession {
    /// The account's decision about uploads.
    ///
    /// - Throws: `signInNeeded`.
    func decideUploads() throws -> DecideUploads {
        let account = try signedIn()
        return DecideUploads(account: account.id, store: consents, gate: account.gate)
    }

    /// True if a recording may be sent now.
    var maySend: Bool { get async { (try? await account?.gate.permission()) == .allowed } }

    /// The number of uploads that wait for the account's consent.
    func held() async throws -> HeldUploads {
        guard let account else { return HeldUploads() }
        return try await consents.held(of: account.id)
    }

    /// True if the person still has to answer; asks no server.
    func needsAnswer() async throws -> Bool {
        account == nil ? false : try await decideUploads().needsAnswer()
    }

    /// The question as it is shown for this account.
    func consentText() async throws -> ConsentText {
        let rule = try await manager.stored().config?.rules[Flags.serverRetentionDays.name]
        // A value of zero means that the server never deletes.
        let days = rule.flatMap { Int($0.value) }.flatMap { $0 > 0 ? $0 : nil }
        return ConsentText(server: account?.server.absoluteString ?? "", days: days)
    }

    /// Says that there is data from before the sign-in, which the account's lists do not show.
    func offerUnowned(_ console: Console) async throws {
        guard account != nil, case let count = try await held().unowned, count > 0 else { return }
        console.progress(
            "\(count) recordings and results from before you signed in are not in this list. Add them to your account: "
                + "parley practice adopt")
    }
}
