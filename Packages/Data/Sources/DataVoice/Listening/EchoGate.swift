// SPDX-License-Identifier: MIT

import AudioKitLinux
import Glibc

/// Decides, while the process plays, that the microphone hears more than the echo: the condition for treating its sound
/// as speech. Pure; powers are mean squares of pieces of sound.
///
/// The echo canceller lowers pure echo by about its enhancement, and a person's speech by less. So somebody speaks when
/// it removes less than half of its usual reduction, in decibels. A canceller that has not converged proves nothing:
/// then only the wake word counts.
/// canceller that has not learned the room yet proves nothing: then only the wake word counts.
struct EchoGate {
    /// The time for which the room rings after the loudspeaker.
    private static let ringing = Duration.milliseconds(300)
    /// The smoothing constant of the powers.
    private static let smoothing = 0.06
    /// The least and the greatest distance between input and output at which the output counts as speech, in decibels.
    private static let reach = 4.0...12.0

    private var near = 0.0
    private var output = 0.0
    private var silentFor = ringing
    /// The canceller's reduction while nobody speaks, in decibels: follows slowly downwards, since speech makes it look
    /// smaller than it is.
    private var enhancement = 0.0

    /// Takes the powers of the next piece before and after the canceller; true if the piece may be speech.
    mutating func admits(near: Double, output: Double, of length: Duration, isPlaying: Bool, report: EchoReport) -> Bool
    {
        silentFor = isPlaying ? .zero : silentFor + length
        let weight = min(1, length / .milliseconds(1) / 1000 / Self.smoothing)
        self.near += weight * (near - self.near)
        self.output += weight * (output - self.output)
        if let measured = report.enhancement {
            enhancement = max(measured, enhancement - (length / .seconds(1)) * 1)
        }
        guard silentFor < Self.ringing else { return true }
        guard report.hasConverged else { return false }
        let threshold = min(max(enhancement / 2, Self.reach.lowerBound), Self.reach.upperBound)
        return self.output > self.near * pow(10, -threshold / 10)
    }
}

extension AudioBuffer {
    /// The mean square of the samples.
    var power: Double {
        guard !samples.isEmpty else { return 0 }
        var sum: Float = 0
        for sample in samples { sum += sample * sample }
        return Double(sum) / Double(samples.count)
    }
}
