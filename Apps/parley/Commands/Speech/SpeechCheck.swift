// SPDX-License-Identifier: MIT

import DataVoice
import Domain
import SpeechServices

/// The check of the speech engines elsewhere: each is asked for what it offers, all at once. This machine works in the
/// place of one that fails, so none is broken.
struct SpeechCheck: Sendable {
    /// The longest wait for an engine.
    private static let limit = Duration.seconds(4)

    let app: CompositionRoot

    func callAsFunction() async -> [Finding] {
        let list: SpeechEngineList
        do {
            guard try await !app.settingsAreLocked() else { return [] }
            list = try await app.speechEngineList()
        } catch {
            return [
                Finding(
                    "Speech engines", .limited, Sentence(error),
                    advice: "This machine hears and speaks meanwhile.")
            ]
        }
        return await withTaskGroup(of: (Int, Finding).self) { group in
            for (number, engine) in list.engines.enumerated() {
                group.addTask { (number, await finding(engine, in: list)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func finding(_ engine: SpeechEngine, in list: SpeechEngineList) async -> Finding {
        let title: Sentence = "Speech engine \(engine.name)"
        let words = use(of: engine, for: list.purposes(of: engine))
        do {
            var limits = SpeechServiceLimits()
            (limits.answer, limits.stall) = (Self.limit, Self.limit)
            let report = try await app.configured(engine, limits: limits).probe()
            let offer = try report.result.get()
            var detail: Sentence = "\(words); it answers after \(report.elapsed.milliseconds) ms"
            if case let count = offer.voices.count, count > 0 {
                detail = Sentence(
                    one: "\(detail) and has \(count) voice", other: "\(detail) and has \(count) voices", count: count)
            }
            return Finding(title, engine.unprotected == nil ? .works : .limited, detail, advice: engine.unprotected)
                .impersonal(nil, name: "Speech engine")
        } catch {
            let message = (error as? SpeechServiceError)?.sentence ?? Sentence(error)
            return Finding(
                title, .limited, "\(words): \(message)",
                advice: [advice(for: error, engine), engine.unprotected].compactMap { $0 }.joined
            ).impersonal(
                (error as? SpeechServiceError)?.code.rawValue ?? ErrorReport(error)?.code, name: "Speech engine")
        }
    }

    private func use(of engine: SpeechEngine, for purposes: [SpeechEngine.Purpose]) -> Sentence {
        if purposes.isEmpty { return "\(engine.words), not in use" }
        if purposes.count > 1 { return "\(engine.words), in use for recognition and synthesis" }
        return purposes == [.recognition]
            ? "\(engine.words), in use for recognition" : "\(engine.words), in use for synthesis"
    }

    private func advice(for error: any Error, _ engine: SpeechEngine) -> Sentence {
        let meanwhile: Sentence = "This machine works in its place meanwhile; parley speech use local makes that last."
        switch error {
        case let error as SpeechServiceError where error.code == .unauthorized:
            return "Store the key again: parley secrets set \(engine.secret ?? "NAME"). \(meanwhile)"
        case is SecretNotFound: return "Store the key: parley secrets set \(engine.secret ?? "NAME"). \(meanwhile)"
        case let error as SpeechServiceError where error.code == .unreachable:
            return "Start it, or look at the network. \(meanwhile)"
        default: return "parley speech test \(engine.name) says more. \(meanwhile)"
        }
    }
}
