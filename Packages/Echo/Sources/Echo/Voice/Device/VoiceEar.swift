// SPDX-License-Identifier: MIT
internal import AudioKitLinux

/// The microphone's way to the events: echo canceller, noise suppressor, gate, gain control, levels. Values in, values out;
/// for one task.
///
/// The gate comes before the gain control, which must not learn from the echo.
struct VoiceEar {
    /// The canceller and the suppressor; nil for none.
    private let processor: VoiceProcessor?
    private let gainControl: SpeexGainControl?
    private var gate: BargeInGate?
    /// What stands for the microphone, when that is a file.
    private let input: FileMicrophone?
    private var hasEnded = false
    private var loudspeaker = HeardSound()
    private var noise = ComfortNoise()
    private var meter = VoiceLevelMeter()
    private var isVoice = false

    /// Throws when SpeexDSP cannot do what is asked for.
    init(_ options: VoiceDeviceOptions, input: FileMicrophone? = nil) throws(AudioError) {
        let rate = AudioFormat.voice.sampleRate
        let canceller = options.cancelsEcho ? try SpeexEchoCanceller(rate: rate) : nil
        let suppressor = options.suppressesNoise ? try SpeexNoiseSuppressor(rate: rate, after: canceller) : nil
        let isPlain = canceller == nil && suppressor == nil
        processor = isPlain ? nil : try VoiceProcessor(canceller: canceller, suppressor: suppressor)
        gainControl = options.controlsGain ? try SpeexGainControl(rate: rate) : nil
        gate = options.gatesEcho ? BargeInGate() : nil
        self.input = input
    }

    /// How well the canceller does; nil without one.
    var report: EchoReport? { processor?.canceller?.report }

    /// What the next piece of the microphone's comes to, `announcements` being what the loudspeaker told since the last one.
    mutating func hear(
        _ piece: CapturedBuffer, after announcements: [PlaybackAnnouncement]
    ) throws(AudioError) -> [VoiceDeviceEvent] {
        for announcement in announcements {
            loudspeaker.follow(announcement)
            try processor?.follow(announcement)
        }
        loudspeaker.forget(before: piece.capturedAt)
        guard var sound = try processor == nil ? piece : processor?.process(piece) else { return [] }
        var events = judge(&sound)
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

    /// Replaces what may be echo, and tells whether the user speaks.
    private mutating func judge(_ sound: inout CapturedBuffer) -> [VoiceDeviceEvent] {
        let format = sound.buffer.format
        guard gate != nil, sound.buffer.frameCount > 0 else { return [] }
        let length = sound.buffer.duration
        let samples = sound.buffer.samples
        let power = samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)
        let played = loudspeaker.envelope(from: sound.capturedAt - length, to: sound.capturedAt)
        let seconds = length / .seconds(1)
        guard let judgement = gate?.judge(power: power, played: played, seconds: seconds) else { return [] }
        sound = CapturedBuffer(
            buffer: AudioBuffer(samples: noise.pass(samples, admits: judgement.admits), format: format),
            position: sound.position, capturedAt: sound.capturedAt)
        guard judgement.isVoice != isVoice else { return [] }
        isVoice = judgement.isVoice
        return [.voice(isVoice)]
    }

    /// Tells, once, that the file is over.
    private mutating func ended(at position: Int) throws(AudioError) -> [VoiceDeviceEvent] {
        guard !hasEnded, let input, let end = try input.end(), position >= end else { return [] }
        hasEnded = true
        return [.inputEnded]
    }
}
