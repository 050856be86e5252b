// SPDX-License-Identifier: MIT
internal import AudioKitLinux

/// Turns the microphone's sound into events: echo canceller, noise suppressor, gate, gain control, levels. Values in,
/// values out; for one task.
///
/// The gate precedes the gain control, which must not learn from the echo.
struct VoiceEar {
    /// The canceller and the suppressor; nil if both are off.
    private var processor: VoiceProcessor?
    private let options: VoiceDeviceOptions
    private let gainControl: SpeexGainControl?
    private var gate: BargeInGate?
    /// The file used as the microphone, if any.
    private let input: FileMicrophone?
    private var hasEnded = false
    private var loudspeaker = HeardSound()
    private var waveform = FarWaveform()
    private var noise = ComfortNoise()
    private var meter = VoiceLevelMeter()
    /// The instants of the microphone's and of the loudspeaker's frames.
    private var captured = SteadyInstants()
    private var played = SteadyInstants()
    private var isVoice = false

    /// - Throws: `AudioError` if SpeexDSP does not support the options.
    init(_ options: VoiceDeviceOptions, input: FileMicrophone? = nil) throws(AudioError) {
        self.options = options
        processor = try Self.processor(options)
        gainControl = options.controlsGain ? try SpeexGainControl(rate: AudioFormat.voice.sampleRate) : nil
        gate = options.gatesEcho ? BargeInGate() : nil
        self.input = input
    }

    private static func processor(_ options: VoiceDeviceOptions) throws(AudioError) -> VoiceProcessor? {
        let rate = AudioFormat.voice.sampleRate
        // Sound servers may report the loudspeaker's instants later than they are by up to this.
        let canceller = options.cancelsEcho ? try SpeexEchoCanceller(rate: rate, lead: .milliseconds(25)) : nil
        let suppressor = options.suppressesNoise ? try SpeexNoiseSuppressor(rate: rate, after: canceller) : nil
        let isPlain = canceller == nil && suppressor == nil
        return isPlain ? nil : try VoiceProcessor(canceller: canceller, suppressor: suppressor)
    }

    /// The canceller's performance; nil without one.
    var report: EchoReport? { processor?.canceller?.report }

    /// The events of the microphone's next piece. `announcements` are the loudspeaker's since the last one.
    mutating func hear(
        _ piece: CapturedBuffer, after announcements: [PlaybackAnnouncement]
    ) throws(AudioError) -> [VoiceDeviceEvent] {
        let piece = try steadied(piece)
        for announcement in announcements {
            let announcement = steadied(announcement)
            loudspeaker.follow(announcement)
            try processor?.follow(announcement)
        }
        loudspeaker.forget(before: piece.capturedAt)
        guard var sound = try processor == nil ? piece : processor?.process(piece) else { return [] }
        var events = judge(&sound, raw: options.cancelsEcho ? Self.power(piece.buffer.samples) : nil)
        if let gainControl {
            guard let louder = try gainControl.level(sound) else { return events }
            sound = louder
        }
        events.append(.captured(sound.buffer.pcm16))
        for part in meter.add(sound.buffer.samples) {
            let end = sound.capturedAt - AudioFormat.voice.duration(ofFrames: part.framesAfter)
            let start = end - AudioFormat.voice.duration(ofFrames: VoiceLevelMeter.frames)
            events.append(
                .level(
                    input: VoiceLevelMeter.level(of: part.peak),
                    output: VoiceLevelMeter.level(of: loudspeaker.peak(from: start, to: end))))
        }
        return events + (try ended(at: sound.position + sound.buffer.frameCount))
    }

    private mutating func steadied(_ piece: CapturedBuffer) throws(AudioError) -> CapturedBuffer {
        let wasSettled = captured.isSettled
        let last = piece.position + piece.buffer.frameCount - 1
        var instant = captured.steadied(piece.capturedAt, of: last, beside: played)
        if captured.isSettled, !wasSettled {
            // A canceller that has followed wrong instants would take long to relearn.
            captured.hold()
            instant = captured.steadied(piece.capturedAt, of: last, beside: played)
            if options.cancelsEcho { processor = try Self.processor(options) }
        }
        return CapturedBuffer(buffer: piece.buffer, position: piece.position, capturedAt: instant)
    }

    private mutating func steadied(_ announcement: PlaybackAnnouncement) -> PlaybackAnnouncement {
        guard case .playing(var piece) = announcement else { return announcement }
        piece.audibleAt = played.steadied(piece.audibleAt, of: piece.position, beside: captured)
        waveform.add(played: piece.buffer.samples)
        return .playing(piece)
    }

    /// Replaces sound that may be echo, and reports that the user begins or ends to speak.
    private mutating func judge(_ sound: inout CapturedBuffer, raw: Double?) -> [VoiceDeviceEvent] {
        let format = sound.buffer.format
        guard gate != nil, sound.buffer.frameCount > 0 else { return [] }
        let length = sound.buffer.duration
        let samples = sound.buffer.samples
        let isSure = captured.isSettled && captured.isSteady && played.isSteady
        let played = loudspeaker.envelope(
            from: sound.capturedAt - length, to: sound.capturedAt, isSteady: isSure)
        waveform.add(captured: samples)
        let piece = BargeInGate.Piece(
            power: Self.power(samples), raw: raw, played: played, seconds: length / .seconds(1), isSure: isSure)
        guard let judgement = gate?.judge(piece, isEcho: { waveform.isEcho }) else { return [] }
        sound = CapturedBuffer(
            buffer: AudioBuffer(samples: noise.pass(samples, admits: judgement.admits), format: format),
            position: sound.position, capturedAt: sound.capturedAt)
        guard judgement.isVoice != isVoice else { return [] }
        isVoice = judgement.isVoice
        return [.voice(isVoice)]
    }

    /// The mean square.
    private static func power(_ samples: [Float]) -> Double {
        var sum: Float = 0
        for sample in samples { sum += sample * sample }
        return Double(sum) / Double(max(1, samples.count))
    }

    /// Reports once that the file has ended.
    private mutating func ended(at position: Int) throws(AudioError) -> [VoiceDeviceEvent] {
        guard !hasEnded, let input, let end = try input.end(), position >= end else { return [] }
        hasEnded = true
        return [.inputEnded]
    }
}
