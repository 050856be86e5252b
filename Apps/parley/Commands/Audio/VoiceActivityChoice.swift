// SPDX-License-Identifier: MIT

import Domain
import VoiceActivity

/// Which detector tells speech from other sound.
enum VoiceActivityChoice: String, Sendable, CaseIterable {
    /// The network where its weights are installed, else the spectral one.
    case auto
    case silero
    case spectral

    static let option = OptionSpecification(
        name: "detector", value: "NAME", help: "auto (default), silero (a network) or spectral",
        completion: .choices(allCases.map(\.rawValue)))

    /// The one that was asked for.
    init(_ invocation: Invocation) throws(UsageError) {
        guard let name = invocation["detector"] else {
            self = .auto
            return
        }
        guard let choice = VoiceActivityChoice(rawValue: name) else {
            throw UsageError("--detector takes auto, silero or spectral.", command: invocation.command)
        }
        self = choice
    }

    /// The detector, its name, and the endpointing that fits it.
    func make() throws -> (any VoiceActivityDetector & Sendable, String, Endpointer.Configuration) {
        if self != .spectral {
            do throws(VoiceActivityError) {
                return (SileroDetector(weights: try SileroWeights()), "silero", .silero)
            } catch  where self == .silero || error.code != .weightsMissing {
                throw DomainError.speechEngine(error.message)
            } catch {}
        }
        return (SpectralDetector(), "spectral", .spectral)
    }
}
