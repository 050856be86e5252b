// SPDX-License-Identifier: MIT

import Auth
import Concurrency
import Diagnostics
import FoundationEssentials
import TerminalKit

/// Performs the effects of a ``SignInDialog``: the server, the listener, the keyboard and the clock.
struct SignInConversation: Sendable {
    typealias Entry = AsyncStream<SignInDialog.Event>.Continuation

    let account: Account
    let email: String
    let way: SignInWay
    let console: Console
    /// Called when the server has accepted a request for a mail, with the time from which it accepts another.
    let onMail: @Sendable (Date) throws -> Void

    /// Runs the dialog to its end. When cancelled, it waits for the answer to a code that the server has, since that
    /// code is used up.
    func hold() async throws -> SignInDialog.Ending {
        let prompt = PromptLine(console: console)
        defer { prompt.close() }
        let waiting = Waiting()
        defer { waiting.replace(with: nil) }
        var verification: Task<SignInDialog.Event, Never>?
        let (events, entry) = AsyncStream<SignInDialog.Event>.makeStream()
        let ending = await withTaskGroup(of: Void.self) { group -> SignInDialog.Ending? in
            defer { group.cancelAll() }
            group.addTask { await prompt.read { entry.yield($0.map { .line($0) } ?? .inputEnded) } }
            group.addTask { await tick(entry) }
            group.addTask { await watch(entry) }
            group.addTask { await requestMail(waiting, entry) }
            let clock = ContinuousClock()
            let start = clock.now
            var dialog = SignInDialog(
                email: email, server: account.server, way: way, isInteractive: prompt.isTyped)
            prompt.show(console.text(dialog.prompt(now: .zero)))
            for await event in events {
                for effect in dialog.handle(event, now: start.duration(to: clock.now)) {
                    switch effect {
                    case .requestMail: group.addTask { await requestMail(waiting, entry) }
                    case .verify(let proof):
                        let work = Task { await verify(proof) }
                        verification = work
                        group.addTask { entry.yield(await work.value) }
                    case .say(let sentence): prompt.say(console.text(sentence))
                    case .sayRefused(let error): show(error, prompt)
                    case .end(let ending): return ending
                    }
                }
                prompt.show(console.text(dialog.prompt(now: start.duration(to: clock.now))))
            }
            return nil
        }
        if let verification, case .verified = await verification.value { return .signedIn }
        guard let ending else { throw CancellationError() }
        return ending
    }

    /// Requests a mail and waits for its link.
    private func requestMail(_ waiting: Waiting, _ entry: Entry) async {
        do {
            let listener = way == .loopback ? try LoopbackListener(server: account.server) : nil
            let redirect = try listener?.redirect ?? (way == .application ? .application() : nil)
            let resendAt: Date
            do {
                resendAt = try await account.controller.requestLink(to: email, returningTo: redirect)
            } catch {
                listener?.close()
                throw error
            }
            // Only now are the mail before and the wait for its link out of date.
            waiting.replace(with: listener)
            try onMail(resendAt)
            // Half a second more, since the time of day may be set while the dialog counts by a clock that is not.
            entry.yield(.mailSent(nextAfter: .seconds(max(0, resendAt.timeIntervalSinceNow) + 0.5)))
            // The wait ends without a link when the link expires, or when there is a newer mail.
            if let link = try? await listener?.link() { entry.yield(.link(link)) }
        } catch let error as AuthError {
            entry.yield(.mailRefused(error))
        } catch {
            entry.yield(.failed(error))
        }
    }

    private func verify(_ proof: SignInProof) async -> SignInDialog.Event {
        do {
            try await proof.verify(with: account.controller)
            return .verified
        } catch let error as AuthError {
            return .refused(error)
        } catch {
            return .failed(error)
        }
    }

    /// Ticks four times a second, so that the countdown shows each second.
    private func tick(_ entry: Entry) async {
        while (try? await Task.sleep(for: .milliseconds(250))) != nil { entry.yield(.tick) }
    }

    /// Checks whether another parley has finished this sign-in.
    private func watch(_ entry: Entry) async {
        while (try? await Task.sleep(for: .seconds(2))) != nil {
            try? await account.controller.start()
            if await account.controller.isSignedIn { entry.yield(.finishedElsewhere) }
        }
    }

    private func show(_ error: AuthError, _ prompt: PromptLine) {
        if console.isJSON, let report = ErrorReport(error) {
            try? console.emit(RefusedEvent(error: report))
            return
        }
        prompt.say(console.styled(console.text(error.sentenceWithWait), .warning))
    }

    /// The listener for the newest mail's link.
    private final class Waiting: Sendable {
        private let listener = Guarded<LoopbackListener?>(nil)

        func replace(with newer: LoopbackListener?) {
            let older = listener.withLock { listener in
                defer { listener = newer }
                return listener
            }
            older?.close()
        }
    }

    private struct RefusedEvent: Encodable {
        let event = "refused"
        let error: ErrorReport
    }
}
