// SPDX-License-Identifier: MIT

import AudioKitLinux
import CommandLineArguments
import Domain
import Speech
import TerminalKit

/// The source and the destination of sound: files by a virtual card, everything else by ALSA.
struct AudioRoute: Sendable {
    /// A sound file as input instead of a microphone; `-` for standard input.
    let input: String?
    /// A sound file as output instead of a loudspeaker.
    let output: String?
    /// The ALSA device for a direction without a file.
    let device: String

    init(input: String?, output: String?, device: String) {
        (self.input, self.output, self.device) = (input, output, device)
    }

    /// `--device`, as most commands have it.
    static let device = ValueOption<String>(
        "device", short: "d", placeholder: "NAME", help: "Use this ALSA device (parley devices lists them)")

    /// `--input`.
    static func input(_ help: String) -> ValueOption<String> {
        ValueOption("input", short: "i", placeholder: "FILE", help: help, completion: .files)
    }

    /// `--output`.
    static func output(_ help: String) -> ValueOption<String> {
        ValueOption("output", short: "o", placeholder: "FILE", help: help, completion: .files)
    }

    /// The route that a command's options name.
    ///
    /// - Parameters:
    ///   - writesOutput: True if the sound may go to standard output.
    init(
        _ invocation: Invocation, input: ValueOption<String>? = nil, output: ValueOption<String>? = nil,
        device: ValueOption<String> = Self.device, writesOutput: Bool = false
    ) throws(UsageError) {
        let output = output.flatMap { invocation[$0] }
        if let output, output != StandardSound.word || !writesOutput {
            try Self.check(output, of: invocation.command)
        }
        self.init(
            input: input.flatMap { invocation[$0] }, output: output, device: invocation[device] ?? "default")
    }

    /// Refuses standard output, and names as ``checkEnding(of:for:)``.
    private static func check(_ output: String, of command: CommandSpecification) throws(UsageError) {
        guard output != StandardSound.word else {
            throw UsageError(
                "Standard output has the answers, so the sound needs a file: --output FILE.", command: command)
        }
        try checkEnding(of: output, for: command)
    }

    /// Refuses a file name whose ending names a format that cannot be written.
    static func checkEnding(of path: String, for command: CommandSpecification) throws(UsageError) {
        guard FileEnding(of: path) != nil, (try? SoundFileEncoding.named(path)) == nil else { return }
        throw UsageError(
            "\(path.printable) cannot be written: a name ends in .wav, .flac, .ogg or .opus.", command: command)
    }
}

/// The content that a file's name promises.
struct FileEnding: Equatable {
    /// The ending in lower case, without the dot.
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

extension FileEnding {
    /// Refuses standard output, and a name that promises another content.
    static func check(_ path: String, is ending: String, of command: CommandSpecification) throws(UsageError) {
        let given = FileEnding(of: path)
        guard path == StandardSound.word || given != nil && given?.text != ending else { return }
        throw UsageError("FILE takes a name that ends in .\(ending), not \"\(path.printable)\".", command: command)
    }
}

/// The voice that speaks.
enum Voice: Sendable {
    /// One of flite's English voices.
    case flite(FliteSynthesizer.Voice)
    /// eSpeak NG's voice for a language (BCP 47).
    case espeak(language: String)
    /// The engine and the voice of a profile.
    case profile(VoiceProfile)

    /// True for flite's voices, which speak English alone.
    var isEnglishOnly: Bool {
        switch self {
        case .flite: true
        case .espeak: false
        case .profile(let profile): profile.engine == ProfileEngine.flite.rawValue
        }
    }
}
