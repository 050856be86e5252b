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
                    "Speech engines", .limited, ErrorReport(error)?.message ?? "\(error)",
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
        let purposes = list.purposes(of: engine).map(\.rawValue).joined(separator: " and ")
        let title = "Speech engine \(engine.name)"
        let words = engine.words + (purposes.isEmpty ? ", not in use" : ", in use for \(purposes)")
        do {
            var limits = SpeechServiceLimits()
            (limits.answer, limits.stall) = (Self.limit, Self.limit)
            let report = try await app.configured(engine, limits: limits).probe()
            let offer = try report.result.get()
            var detail = "\(words); it answers after \(report.elapsed.milliseconds) ms"
            if !offer.voices.isEmpty { detail += " and has \(offer.voices.count.of("voice"))" }
            return Finding(
                title, engine.unprotected == nil ? .works : .limited, detail, advice: engine.unprotected?.english
            ).impersonal(nil, name: "Speech engine")
        } catch {
            let message = (error as? SpeechServiceError)?.shown ?? ErrorReport(error)?.message ?? "\(error)"
            return Finding(
                title, .limited, "\(words): \(message)",
                advice: [advice(for: error, engine), engine.unprotected?.english].compactMap { $0 }.joined(
                    separator: " ")
            ).impersonal(
                (error as? SpeechServiceError)?.code.rawValue ?? ErrorReport(error)?.code, name: "Speech engine")
        }
    }

    private func advice(for error: any Error, _ engine: SpeechEngine) -> String {
        let meanwhile = "This machine works in its place meanwhile; parley speech use local makes that last."
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
