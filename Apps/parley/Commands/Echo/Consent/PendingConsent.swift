// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Domain
import FoundationEssentials
import Glibc
import TerminalKit

/// A question that waits for a person, where `parley approve` of the same user finds it: a socket in a folder for its
/// owner alone. The question is never in a file. The socket is removed with the question; the next reader removes one
/// that a killed program left.
final class PendingConsent: Sendable {
    /// A message of `parley approve`.
    struct Message: Codable {
        /// The number of the question that is answered; nil asks for the question.
        var number: String?
        var answer: ConsentAnswer?
    }

    /// The reply to a message.
    struct Reply: Codable {
        /// Identifies this one question, so that no answer is taken for another.
        let number: String
        var request: ConsentRequest?
        /// True if this answer was the first, and the question was still open; nil in the reply to a question.
        var isTaken: Bool?
    }

    private struct State {
        var answer: ConsentAnswer?
        var isOver = false
        var waiter: CheckedContinuation<ConsentAnswer?, Never>?
    }

    private static let messageLimit = 4_096

    private let request: ConsentRequest
    private let number: String
    private let path: String
    private let state = Guarded(State())
    /// Ends the wait of the thread that listens.
    private let end = WakePipe()

    /// Publishes a question in a folder, which is made if it is missing.
    init(_ request: ConsentRequest, in folder: String) throws {
        self.request = request
        var random = SystemRandomNumberGenerator()
        number = String(random.next(), radix: 16) + String(random.next(), radix: 16)
        path = "\(folder)/\(getpid())-\(number.prefix(8)).sock"
        try OwnSocket.make(folder)
        let listener = try OwnSocket.listen(at: path)
        guard DetachedThread.start({ [self] in serve(listener) }) else {
            close()
            listener.close()
            throw DomainError.file("The system gave no thread for the question.")
        }
    }

    /// Waits for the answer of another program; nil at the end, and when the task is cancelled.
    func answer() async -> ConsentAnswer? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isOver, answer) = state.withLock { state in
                    let isOver = state.isOver || state.answer != nil || Task.isCancelled
                    if !isOver { state.waiter = continuation }
                    return (isOver, state.answer)
                }
                if isOver { continuation.resume(returning: answer) }
            }
        } onCancel: {
            close()
        }
    }

    /// Withdraws the question.
    func close() {
        let waiter = state.withLock { state -> CheckedContinuation<ConsentAnswer?, Never>? in
            guard !state.isOver else { return nil }
            state.isOver = true
            unlink(path)
            end.wake()
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }

    private func serve(_ listener: ListeningSocket) {
        while end.wait(for: listener.descriptor) == .ready {
            guard let peer = OwnSocket.accept(on: listener) else { continue }
            reply(to: peer)
            Glibc.close(peer)
        }
        listener.close()
    }

    private func reply(to peer: Int32) {
        guard let line = OwnSocket.line(from: peer, limit: Self.messageLimit),
            let message = try? JSONDecoder().decode(Message.self, from: Data(line))
        else { return }
        guard let answer = message.answer else {
            OwnSocket.send(Reply(number: number, request: request), on: peer)
            return
        }
        let waiter: (taken: Bool, CheckedContinuation<ConsentAnswer?, Never>?) = state.withLock { state in
            guard message.number == number, !state.isOver, state.answer == nil else { return (false, nil) }
            state.answer = answer
            defer { state.waiter = nil }
            return (true, state.waiter)
        }
        // The reply is sent before the answer ends the question and removes its socket.
        OwnSocket.send(Reply(number: number, isTaken: waiter.taken), on: peer)
        waiter.1?.resume(returning: answer)
    }
}
