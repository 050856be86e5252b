// SPDX-License-Identifier: MIT

import AudioKitLinux
import Speech

/// Where the sound comes from and goes to: files by a virtual card, everything else by ALSA.
struct AudioRoute: Sendable {
    /// A sound file to hear, instead of a microphone; `-` for standard input.
    let input: String?
    /// A sound file to speak into, instead of a loudspeaker.
    let output: String?
    /// The ALSA device for what is not a file.
    let device: String

    init(input: String?, output: String?, device: String) {
        (self.input, self.output, self.device) = (input, output, device)
    }

    /// The route that `--input`, `--output` and `--device` name, of those that the command has.
    ///
    /// - Parameter writesOutput: Whether the sound may go to standard output.
    init(_ invocation: Invocation, writesOutput: Bool = false) throws(UsageError) {
        let output = invocation["output"]
        if let output, output != StandardSound.word || !writesOutput {
            try Self.check(output, of: invocation.command)
        }
        self.init(input: invocation["input"], output: output, device: invocation["device"] ?? "default")
    }

    /// Refuses a name whose ending promises what is not written.
    private static func check(_ output: String, of command: CommandSpecification) throws(UsageError) {
        guard output != StandardSound.word else {
            throw UsageError(
                "Standard output has the answers, so the sound needs a file: --output FILE.", command: command)
        }
        guard FileEnding(of: output) != nil, (try? SoundFileEncoding.named(output)) == nil else { return }
        throw UsageError(
            "\(output.printable) cannot be written: --output makes .wav, .flac, .ogg and .opus.", command: command)
    }
}

/// What a file's name promises of its content.
struct FileEnding: Equatable {
    /// Without the dot, in lower case.
    let text: String

    /// The ending of the path's last part; nil without one, and for a hidden file without another dot.
    init?(of path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name.index(after: dot) != name.endIndex else {
            return nil
        }
        text = name[name.index(after: dot)...].lowercased()
    }
}

/// Which voice speaks.
enum Voice: Sendable {
    /// One of flite's English voices.
    case flite(FliteSynthesizer.Voice)
    /// eSpeak NG's voice for a language (BCP 47).
    case espeak(language: String)
}
