// SPDX-License-Identifier: MIT

import Concurrency
import DataAssistant
import Domain
import Echo
import TerminalKit

/// The check of the model in use: its server is reached, the key is accepted, the model exists, and it says something.
/// Without a model in use nothing is sent.
struct ModelCheck: Sendable {
    private static let name: Sentence = "Model"

    let app: CompositionRoot

    func callAsFunction() async -> Finding {
        var model: Sentence = "the model in use"
        do {
            guard try await !app.settingsAreLocked() else {
                return Finding(Self.name, .works, "the settings are sealed; parley assistant show opens them")
            }
            guard let settings = try await app.passOnModel() else {
                return Finding(Self.name, .works, "none in use, and nothing is sent; parley assistant use chooses one")
            }
            model = "\(settings.model.printable) at \(settings.baseURL.printable)" as Sentence
            let took = try await timeToFirstWord(settings)
            return Finding(Self.name, .works, "\(model) answers; its first word came after \(took.milliseconds) ms")
        } catch {
            return Finding(
                Self.name, .broken, "\(model): \(Sentence(error))", advice: advice(for: error),
                code: ExitCode(for: error)
            ).impersonal(ErrorReport(error)?.code)
        }
    }

    /// Asks for one word, and hangs up at the first one.
    private func timeToFirstWord(_ settings: ModelSettings) async throws -> Duration {
        let model = try app.model(
            settings, instructions: "Answer with one word.", budget: nil, voice: VoiceConfiguration(), tools: nil)
        let clock = ContinuousClock()
        let start = clock.now
        let result: Result<AssistantAnswer, any Error>
        do {
            result = .success(
                try await model.answer(AssistantQuestion("Say ok.")) { event in
                    if case .delta = event { throw FirstWord() }
                })
        } catch { result = .failure(error) }
        let took = clock.now - start
        await model.close()
        switch result {
        case .failure(is FirstWord): return took
        case .failure(let error): throw error
        case .success: throw DomainError.server("It answered without a word.")
        }
    }

    private func advice(for error: any Error) -> Sentence {
        switch error {
        case let error as DomainError where error.isTransient:
            "Start the server, or look at the network. Until then questions for the model have no answer; --later keeps them."
        case EchoError.unauthorized, is SecretNotFound:
            "Store the key again: parley secrets set NAME; parley assistant list names the secret."
        case EchoError.notFound: "parley models lists what the server offers, and parley models use NAME takes one."
        default: "parley assistant show says what is set up; parley assistant use states goes on without a model."
        }
    }

    private struct FirstWord: Error {}
}
