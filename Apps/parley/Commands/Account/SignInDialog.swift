// SPDX-License-Identifier: MIT

import Auth
import Domain
import FoundationEssentials

/// The dialog between asking for a mail and being signed in. Pure: events and times come in, effects go out. Times are
/// those of any clock that goes on steadily.
struct SignInDialog: Sendable {
    /// An event.
    enum Event: Sendable {
        /// The server has accepted the request for a mail, and accepts the next one after this time.
        case mailSent(nextAfter: Duration)
        case mailRefused(AuthError)
        /// Time has passed.
        case tick
        /// Something was typed, pasted or piped in.
        case line(String)
        /// The input has ended.
        case inputEnded
        /// The mail's link has led the browser back to this program.
        case link(SignInLink)
        case verified
        case refused(AuthError)
        /// Another parley has finished this sign-in.
        case finishedElsewhere
        /// An error that is not the server's.
        case failed(any Error)
    }

    /// An effect.
    enum Effect: Sendable {
        case requestMail
        case verify(SignInProof)
        case say(Sentence)
        /// The server refused a step, and the dialog continues.
        case sayRefused(AuthError)
        case end(Ending)
    }

    /// The ending.
    enum Ending: Sendable {
        case signedIn
        /// The person has left; the mail stays valid.
        case left
        case failed(any Error)
    }

    /// The longest life of a mail's link; its code expires earlier.
    static let mailLifetime = Duration.seconds(15 * 60)

    private let email: String
    private let server: URL
    private let way: SignInWay
    private let isInteractive: Bool
    private var mails = 0
    private var isSending = true
    private var isVerifying = false
    private var hasInput = true
    private var resendAt = Duration.zero
    private var end = Duration.zero
    /// Proofs that came while another one was being verified.
    private var queue: [SignInProof] = []
    /// A proof that could not be sent for want of a network; it may still be good.
    private var unsent: SignInProof?
    private var current: SignInProof?
    private var lastRefusal: AuthError?

    /// Makes a dialog; its first effect is to request a mail.
    ///
    /// - Parameter isInteractive: True if a person sees the prompt and types.
    init(email: String, server: URL, way: SignInWay, isInteractive: Bool) {
        (self.email, self.server, self.way, self.isInteractive) = (email, server, way, isInteractive)
    }

    /// The prompt.
    func prompt(now: Duration) -> Sentence {
        if isSending { return "Asking for a mail ... " }
        if isVerifying { return "Signing in ... " }
        if unsent != nil { return "Enter tries again: " }
        let wait = secondsToResend(now)
        return switch (way, wait > 0) {
        case (.code, true): "Code (another mail in \(wait) s): "
        case (.code, false): "Code (Enter sends another mail): "
        case (_, true): "Code or link (another mail in \(wait) s): "
        case (_, false): "Code or link (Enter sends another mail): "
        }
    }

    /// Takes an event and returns the effects to perform.
    mutating func handle(_ event: Event, now: Duration) -> [Effect] {
        switch event {
        case .mailSent(let wait): return mailSent(wait, now)
        case .mailRefused(let error): return mailRefused(error, now)
        case .tick: return tick(now)
        case .line(let text): return line(text, now)
        case .inputEnded:
            hasInput = false
            return isInteractive ? [.end(.left)] : endIfNothingCanCome()
        case .link(let link):
            queue.append(.link(link))
            return next()
        case .verified, .finishedElsewhere: return [.end(.signedIn)]
        case .refused(let error): return refused(error)
        case .failed(let error): return [.end(.failed(error))]
        }
    }

    private mutating func mailSent(_ wait: Duration, _ now: Duration) -> [Effect] {
        isSending = false
        mails += 1
        (resendAt, end, unsent) = (now + wait, now + Self.mailLifetime, nil)
        guard mails == 1 else {
            return [
                .say(
                    "Another mail is on its way. The link of the one before does not work any more; its code may."
                        as Sentence)
            ]
        }
        return [.say("A mail is on its way to \(email). \(way.advice)" as Sentence)] + next()
    }

    private mutating func mailRefused(_ error: AuthError, _ now: Duration) -> [Effect] {
        isSending = false
        guard mails > 0 else { return [.end(.failed(error))] }
        resendAt = now + (error.retryAfter ?? .seconds(5))
        return [.sayRefused(error)]
    }

    private mutating func tick(_ now: Duration) -> [Effect] {
        // A person at the prompt can ask for another mail; a script cannot.
        guard !isInteractive, mails > 0, !isVerifying, now >= end else { return [] }
        return [
            .end(.failed(lastRefusal ?? AuthError.own("Nothing came back in time. Ask for another mail.", .expired)))
        ]
    }

    private mutating func line(_ text: String, _ now: Duration) -> [Effect] {
        guard text.contains(where: { !$0.isWhitespace }) else { return emptyLine(now) }
        do {
            queue.append(try SignInProof(text, server: server))
        } catch let error as AuthError {
            lastRefusal = error
            return [.sayRefused(error)]
        } catch {
            return [.end(.failed(error))]
        }
        return next()
    }

    private mutating func emptyLine(_ now: Duration) -> [Effect] {
        guard isInteractive, !isSending, !isVerifying else { return [] }
        if let unsent {
            queue.append(unsent)
            return next()
        }
        let wait = secondsToResend(now)
        guard wait == 0 else {
            return [.say("Another mail can be sent in \(wait) s. Look into the spam folder, too." as Sentence)]
        }
        isSending = true
        return [.requestMail]
    }

    private mutating func refused(_ error: AuthError) -> [Effect] {
        isVerifying = false
        lastRefusal = error
        if error.code == .noNetwork, isInteractive {
            unsent = current
        } else if [.storage, .alreadySignedIn, .noPendingSignIn].contains(error.code) {
            return [.end(.failed(error))]
        }
        return [.sayRefused(error)] + next()
    }

    /// Verifies the waiting proofs, one after another.
    private mutating func next() -> [Effect] {
        guard mails > 0, !isVerifying else { return [] }
        guard !queue.isEmpty else { return endIfNothingCanCome() }
        let proof = queue.removeFirst()
        (isVerifying, current, unsent) = (true, proof, nil)
        return [.verify(proof)]
    }

    private func endIfNothingCanCome() -> [Effect] {
        guard !hasInput, way == .code, mails > 0, !isVerifying, queue.isEmpty else { return [] }
        let nothing = AuthError.own(
            "No code came. The mail stays good: parley verify CODE finishes the sign-in.", .refused)
        return [.end(.failed(lastRefusal ?? nothing))]
    }

    private func secondsToResend(_ now: Duration) -> Int {
        Int((max(.zero, resendAt - now) / .seconds(1)).rounded(.up))
    }
}

/// The way of a mail's link back to the program.
enum SignInWay: String, Sendable {
    /// The link leads the browser to this program, which listens on 127.0.0.1.
    case loopback
    /// The desktop starts another parley for a `parley://` address.
    case application
    /// No way: the person types the code.
    case code

    /// Advice about the mail.
    var advice: Sentence {
        switch self {
        case .loopback: "Open its link in a browser on this machine, or type its code, or paste its link."
        case .application: "Open its link in a browser of this desktop, or type its code, or paste its link."
        case .code: "Type its code."
        }
    }
}

/// The code or link of a mail, as a person types or pastes it.
enum SignInProof: Sendable {
    case code(String)
    case link(SignInLink)

    /// Reads a code or a link.
    ///
    /// - Throws: `AuthError` with the code `invalidLink`, without quoting the text.
    init(_ text: String, server: URL) throws {
        self = text.contains("://") ? .link(try SignInLink(text, server: server)) : .code(text)
    }

    /// Sends the proof to the server.
    func verify(with controller: SessionController) async throws {
        switch self {
        case .code(let code): try await controller.verify(code: code)
        case .link(let link): try await controller.verify(link)
        }
    }
}
