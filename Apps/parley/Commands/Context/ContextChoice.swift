// SPDX-License-Identifier: MIT

import Domain

/// The parts of the person's situation that they allow to be read, and their consent to send them to a model. It stays on this
/// machine: what is allowed at home is not allowed elsewhere.
struct ContextChoice: OwnFileValue, Equatable {
    /// The consent to send what is read to the model in use.
    struct Consent: Codable, Equatable {
        /// The version of ``ContextConsentText``; raised when its meaning changes, after which it is asked for again.
        static let currentVersion = 1

        /// The time of the answer (RFC 3339).
        var decidedAt: String
        var textVersion: Int
    }

    /// The times at which parts were allowed (RFC 3339), by their names.
    var allowed: [String: String] = [:]
    /// The absolute paths of calendars.
    var calendars: [String] = []
    /// The consent to send; nil before it is given and after it is withdrawn.
    var sent: Consent?

    static let remedy: Sentence = "Choose again: parley context deny --all, then parley context allow --help."
    static let calendarLimit = 100

    var isValid: Bool {
        allowed.keys.allSatisfy { ContextPart(rawValue: $0) != nil } && calendars.count <= Self.calendarLimit
            && calendars.allSatisfy { $0.hasPrefix("/") }
    }

    /// The allowed parts, in their order.
    var parts: [ContextPart] { ContextPart.allCases.filter { allowed[$0.rawValue] != nil } }
    /// True if a model may get what is read.
    var isSent: Bool { sent?.textVersion == Consent.currentVersion }
}

/// The question about sending.
enum ContextConsentText {
    static let lines: [Sentence] = [
        "May parley send the parts of your situation that you allow to the model in use, with each question for it?",
        "  Sent       what parley context show shows, and nothing else.",
        "  Where      to the server of parley assistant; its operator can read it.",
        "  What for   answers that fit the time, the place and what you do.",
        "  How long   what its operator does with it is its word. Here, each turn stores what was sent.",
        "  Take back  parley context withhold stops it with the next question.",
    ]
}

extension ContextPart {
    /// The content that it adds, with an example.
    var words: Sentence {
        switch self {
        case .time: "the time and the day of the week: \"18:05, Tuesday evening\""
        case .history: "your last five questions"
        case .events: "the calendar entries of the next 24 hours, at most five: \"Dentist\", in 2 h 10 min"
        case .device: "the model of this machine, its system and its battery: \"battery 83%, discharging\""
        case .activity: "how long ago you used this machine: \"idle for some minutes\""
        case .location: "the place, 10 km exact: \"latitude 52.5°, longitude 13.4°\""
        }
    }
}
