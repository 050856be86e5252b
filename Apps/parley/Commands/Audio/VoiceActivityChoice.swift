// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import VoiceActivity

/// Which detector tells speech from other sound.
enum VoiceActivityChoice: String, Sendable, CaseIterable {
    /// The network where its weights are installed, else the spectral one.
    case auto
    case silero
    case spectral

    static let option = ValueOption<VoiceActivityChoice>(
        "detector", placeholder: "NAME", help: "auto (default), silero (a network) or spectral", choices: allCases)

    /// The detector, its name, and the end pointing that fits it.
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
