// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import DataVoice
import Diagnostics
import Domain
import Echo
import Speech
import SpeechEngines

extension CompositionRoot {
    /// A recogniser for what is answered without a network, with its model loaded.
    func recognizer() async throws -> GrammarRecognizer {
        do {
            return try await GrammarRecognizer.forAssistant(logger: logger)
        } catch { throw DomainError(translating: error) }
    }

    /// A transcriber of sound files; see ``ears(_:dictation:showsWords:)``.
    func transcriber(_ engine: String?, dictation: Dictation?) async throws -> FileTranscriber {
        let (detector, _, endpointing) = try VoiceActivityChoice.auto.make()
        return FileTranscriber(
            recognizer: try await ears(engine, dictation: dictation, showsWords: false), detector: detector,
            endpointing: endpointing)
    }

    /// A listener and a speaker on one route; see ``ears(_:dictation:showsWords:)``.
    func voices(_ route: AudioRoute, _ choice: SpeechChoice, dictation: Dictation?) async throws -> Voices {
        let devices = try await devices(for: route)
        async let recognizer = ears(dictation: dictation, showsWords: showsWords)
        let (detector, _, endpointing) = try VoiceActivityChoice.auto.make()
        var speaker = try await speaker(on: devices.playback, choice)
        // An output file has to be written, but a failing loudspeaker does not cost the answer, which is on the screen.
        if route.output == nil { speaker = WarningSpeaker(speaker: speaker) { [console] in console.warn($0) } }
        return Voices(
            listener: MicrophoneSpeechListener(
                device: devices.capture, recognizer: try await recognizer, detector: detector,
                endpointing: endpointing, showsWords: showsWords, logger: logger.with(category: "listening")),
            speaker: speaker, output: SpeechOutput(device: devices.playback, rate: choice.rate))
    }

    /// A synthesiser of a voice of this machine.
    func synthesizer(_ voice: Voice, rate: SpeechRate) async throws -> any SpeechSynthesizer {
        do {
            switch voice {
            case .flite(let voice): return try FliteSynthesizer(voice: voice, rate: rate)
            case .espeak(let language): return try await ESpeakSynthesizer(language: language, rate: rate)
            case .profile(let profile): return try await synthesizer(of: profile, rate: rate)
            }
        } catch { throw DomainError(translating: error) }
    }

    /// A speaker on one route.
    func speaker(_ route: AudioRoute, _ choice: SpeechChoice) async throws -> any SpeechSpeaker {
        try await speaker(on: devices(for: route).playback, choice)
    }

    /// Every sound device of the system.
    func devices() throws -> [AudioDeviceInfo] {
        do { return try AudioDevices.list() } catch { throw DomainError(translating: error) }
    }

    /// A listener and a speaker.
    struct Voices: Sendable {
        let listener: MicrophoneSpeechListener
        let speaker: any SpeechSpeaker
        let output: SpeechOutput
    }

    private func speaker(on device: AudioDevice, _ choice: SpeechChoice) async throws -> any SpeechSpeaker {
        SynthesizerSpeechSpeaker(
            synthesizer: try await synthesizer(choice), device: device, makesAhead: choice.engine == nil,
            logger: logger.with(category: "speaking"))
    }

    /// The devices of a route.
    ///
    /// - Parameters:
    ///   - format: what a file is converted to, or what is written to it.
    ///   - trailingSilence: what follows a file that is heard; by default enough to end an utterance.
    func devices(
        for route: AudioRoute, format: AudioFormat = .speech, trailingSilence: Duration = .seconds(1)
    ) async throws -> (capture: AudioDevice, playback: AudioDevice) {
        do {
            let known = route.device == "default" ? nil : try AudioDevices.find(route.device)
            let hardware = known?.device ?? .alsa(route.device)
            guard route.input != nil || route.output != nil else { return (hardware, hardware) }
            let card = AudioDevice.virtual(
                try VirtualCard.file(
                    input: try await StandardSound.path(route.input), output: route.output, format: format,
                    trailingSilence: trailingSilence))
            return (route.input == nil ? hardware : card, route.output == nil ? hardware : card)
        } catch is CancellationError {
            throw CancellationError()
        } catch { throw DomainError(translating: error) }
    }

    /// Microphone and loudspeaker of a voice conversation; only files are opened yet.
    ///
    /// - Returns: The device, and the object that completes the output file.
    func voiceDevice(_ route: AudioRoute) async throws -> (device: any VoiceDevice, files: FileVoiceDevice?) {
        let known: AudioDeviceInfo?
        do { known = route.device == "default" ? nil : try AudioDevices.find(route.device) } catch {
            throw DomainError(translating: error)
        }
        let hardware = known?.device ?? .alsa(route.device)
        let logger = logger.with(category: "voice")
        guard route.input != nil || route.output != nil else {
            return (ALSAVoiceDevice(capture: hardware, playback: hardware, logger: logger), nil)
        }
        let input = try await StandardSound.path(route.input)
        do {
            let files = try FileVoiceDevice(input: input, output: route.output, device: hardware, logger: logger)
            return (files, files)
        } catch { throw DomainError(translating: error) }
    }

    /// The assistant that listens all day, with its engines loaded, and the ringing of alarms in its room; devices are
    /// opened when they run.
    ///
    /// - Parameters:
    ///   - preloadModel: The model that is asked for facts before anybody asks; nil for none.
    ///   - preloads: True to prepare for likely questions.
    func assistant(
        _ options: ListenOptions, _ choice: SpeechChoice,
        storingIn conversations: any ConversationRepository & TurnStatistics, model: PassOnModel,
        preloadModel: PassOnModel?, preloads: Bool, keepsForLater: Bool, controls: AsyncStream<RoomControl>?
    ) async throws -> (assistant: ListenAllDay, ringing: RingAlarms) {
        let devices = try await devices(for: options.route)
        let ownSound = OwnSound()
        async let engines = engines(options)
        let speaker = SynthesizerSpeechSpeaker(
            synthesizer: try await synthesizer(choice), device: devices.playback,
            ownSound: ownSound, makesAhead: choice.engine == nil,
            logger: logger.with(category: "speaking"))
        let earcons: any EarconPlayer =
            options.hasTones
            ? DeviceEarconPlayer(device: devices.playback, ownSound: ownSound, logger: logger) : SilentEarcons()
        let ringing = ringAlarms(ownSound: ownSound) { devices.playback }
        let answerQuestion = answerQuestion(
            storingIn: conversations, model: model,
            speech: SpeechOutput(device: devices.playback, rate: choice.rate), ringing: ringing,
            keepsForLater: keepsForLater)
        let assistant = ListenAllDay(
            listener: MicrophoneListener(
                device: devices.capture, engines: try await engines, ownSound: ownSound,
                showsWords: showsWords, logger: logger.with(category: "listening")),
            speaker: speaker, earcons: earcons, answerQuestion: answerQuestion,
            preload: preloads
                ? preloadAnswers(to: answerQuestion, spokenBy: speaker, model: preloadModel) : nil,
            configuration: options.loop, controls: controls)
        return (assistant, ringing)
    }

    /// True if somebody sees the words while they are spoken, at a terminal or on the page.
    private var showsWords: Bool { StatusLine(console: console).isShown || console.isJSON }

    private func engines(_ options: ListenOptions) async throws -> MicrophoneListener.Engines {
        do {
            async let recognizer = ears(
                dictation: options.dictation, showsWords: showsWords)
            let wakeWord = try await WakeWordDetector(
                phrase: options.phrase, configuration: options.wakeWord, logger: logger)
            let (detector, _, endpointing) = try options.detector.make()
            let (thrifty, _, thriftyEndpointing) =
                try options.detector == .auto ? VoiceActivityChoice.spectral.make() : options.detector.make()
            return MicrophoneListener.Engines(
                wakeWord: wakeWord, recognizer: try await recognizer, detector: detector, endpointing: endpointing,
                saving: PowerSaving(detector: thrifty, endpointing: thriftyEndpointing) { [choice = options.lowPower] in
                    choice.isWanted()
                })
        } catch { throw DomainError(translating: error) }
    }
}

/// Plays no tones.
private struct SilentEarcons: EarconPlayer {
    func play(_ earcon: VoiceLoop.Earcon) async throws {}
}
