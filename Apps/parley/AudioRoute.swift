// SPDX-License-Identifier: MIT

import AudioKitLinux
import Speech

/// Where the sound comes from and goes to: files by a virtual card, everything else by ALSA.
struct AudioRoute: Sendable {
    /// A sound file to hear, instead of a microphone.
    let input: String?
    /// A WAV file to speak into, instead of a loudspeaker.
    let output: String?
    /// The ALSA device for what is not a file.
    let device: String
}

/// Which voice speaks.
enum Voice: Sendable {
    /// One of flite's English voices.
    case flite(FliteSynthesizer.Voice)
    /// eSpeak NG's voice for a language (BCP 47).
    case espeak(language: String)
}
