// SPDX-License-Identifier: MIT

import Concurrency

/// Keeps a voice conversation connected beyond the life of one session: a pure state machine.
///
/// Sessions are numbered. One that will end soon is replaced beforehand: the next is opened while the old one
/// continues, and replaces it between two turns, or at the last moment. One whose connection breaks is replaced as soon
/// as another can be opened, with growing pauses, until too many attempts in a row have failed or the server refuses
/// for good.
///
/// Times are durations since any fixed moment.
public struct SessionLifecycle: Sendable {
    let limits: Limits
    /// The limit of failed attempts in a row before the first session.
    let startAttempts: Int
    /// True once a session was open.
    var hasConnected = false
    /// The session in use, and the time of its beginning.
    var current: (session: Int, since: Duration)?
    /// The session that is being opened, and the time of the attempt.
    var opening: (session: Int, since: Duration)?
    /// The session that is open and not in use yet.
    var spare: Int?
    /// The time of the next attempt.
    var retry: Duration?
    var attempts = 0
    var lastSession = 0
    var isTurnActive = false
    var isOver = true
    /// True if no session can replace the current one.
    var cannotReplace = false
    var random: SplitMix64

    /// A conversation without a session.
    ///
    /// - Parameters:
    ///   - startAttempts: The limit of failed attempts in a row before the first session.
    ///   - seed: For the pauses between attempts.
    init(limits: Limits = Limits(), startAttempts: Int = VoiceConfiguration.Limits().attempts, seed: UInt64) {
        self.limits = limits
        self.startAttempts = startAttempts
        random = SplitMix64(seed: seed)
    }

    /// The number of the session in use.
    var session: Int? { current?.session }

    /// The time of the next step of ``advance(to:)``.
    var deadline: Duration? {
        guard !isOver else { return nil }
        var deadlines = [retry, opening.map { $0.since + limits.connect }]
        if let current {
            if spare != nil {
                deadlines.append(current.since + limits.lastSwitch)
            } else if opening == nil, retry == nil, !cannotReplace {
                deadlines.append(current.since + limits.rollover)
            }
        }
        return deadlines.compactMap { $0 }.min()
    }

    /// Handles an event, and returns the actions to perform.
    mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .start:
            guard isOver else { break }
            isOver = false
            attempts = 0
            cannotReplace = false
            actions.append(.status(.connecting))
            open(at: now, &actions)
        case .opened(let session): opened(session, at: now, &actions)
        case .failed(let session, let failure): failed(session, failure, at: now, &actions)
        case .turnBegan: isTurnActive = true
        case .turnEnded:
            isTurnActive = false
            if let spare { use(spare, at: now, &actions) }
        case .stop: stop(&actions)
        }
        return actions
    }

    /// Performs the actions that are due.
    mutating func advance(to now: Duration) -> [Action] {
        var actions: [Action] = []
        guard !isOver else { return actions }
        if let opening, opening.since + limits.connect <= now {
            actions.append(.close(opening.session))
            failed(opening.session, .broken(retryAfter: nil), at: now, &actions)
        }
        if let retry, retry <= now {
            self.retry = nil
            open(at: now, &actions)
        }
        guard let current else { return actions }
        if let spare {
            if current.since + limits.lastSwitch <= now { use(spare, at: now, &actions) }
        } else if opening == nil, retry == nil, !cannotReplace, current.since + limits.rollover <= now {
            attempts = 0
            open(at: now, &actions)
        }
        return actions
    }
}
