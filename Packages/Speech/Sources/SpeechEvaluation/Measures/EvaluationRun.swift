// SPDX-License-Identifier: MIT

import AudioKitLinux
import VoiceActivity

/// The evaluation of one recording in progress: its measures, and the pieces for the recogniser.
struct EvaluationRun {
    /// Sound with speech in it, 16 kHz mono.
    struct Piece {
        let samples: [Float]
        /// The index of its first sample.
        let start: Int
    }

    private let format: AudioFormat
    private let resampler: Resampler?
    private var sound: SoundMeasures
    private var timeline: SpeechTimeline
    private var pieces = SpeechPieces()
    private var window = SampleWindow()

    init(format: AudioFormat, weights: SileroWeights?, pause: Duration) throws(EvaluationError) {
        self.format = format
        do {
            resampler =
                format.sampleRate == SpeechTimeline.sampleRate
                ? nil : try Resampler(from: format.sampleRate, to: SpeechTimeline.sampleRate)
        } catch {
            throw EvaluationError(.unreadableRecording, error.message, underlying: error.underlying)
        }
        sound = SoundMeasures(format: format)
        timeline = SpeechTimeline(weights: weights, pause: max(pause, .milliseconds(100)))
    }

    /// The duration of the sound so far.
    var duration: Duration { format.duration(ofFrames: sound.frames) }

    /// The number of stored samples for later pieces.
    var heldSamples: Int { window.count }

    /// Adds the next sound and returns the completed pieces.
    mutating func add(_ buffer: AudioBuffer) throws(EvaluationError) -> [Piece] {
        guard buffer.format == format else {
            throw EvaluationError(
                .unreadableRecording, "The recording changes from \(format) to \(buffer.format). Record it again.")
        }
        sound.add(buffer)
        let mono = buffer.mixedToMono().samples
        return take(resampler?.process(mono) ?? mono)
    }

    /// Ends the recording and returns the last pieces.
    mutating func finish() -> [Piece] {
        var found = take(resampler?.finish() ?? [])
        for speech in timeline.finish() { if let piece = pieces.add(speech) { found.append(cut(piece)) } }
        if let piece = pieces.finish(length: timeline.length) { found.append(cut(piece)) }
        return found
    }

    private mutating func take(_ samples: [Float]) -> [Piece] {
        window.append(samples)
        var found: [Piece] = []
        for speech in timeline.add(samples) { if let piece = pieces.add(speech) { found.append(cut(piece)) } }
        let (position, isInSpeech) = (timeline.length, timeline.isInSpeech)
        if let piece = pieces.pass(position, isInSpeech: isInSpeech) { found.append(cut(piece)) }
        window.drop(before: pieces.needed(at: position, isInSpeech: isInSpeech))
        return found
    }

    private func cut(_ piece: Range<Int>) -> Piece {
        let (samples, start) = window.slice(piece)
        return Piece(samples: samples, start: start)
    }

    /// The measures, without words.
    func evaluation() -> ReadingEvaluation {
        let seconds = { (samples: Int) in Double(samples) / Double(SpeechTimeline.sampleRate) }
        let speech = timeline.speech
        var result = ReadingEvaluation()
        result.duration = format.sampleRate > 0 ? Double(sound.frames) / Double(format.sampleRate) : 0
        if let first = speech.first, let last = speech.last {
            result.speechStart = seconds(first.lowerBound)
            result.speechDuration = seconds(last.upperBound - first.lowerBound)
            result.voicedDuration = seconds(speech.reduce(0) { $0 + $1.count })
        }
        result.pauses = timeline.pauses.map { .init(start: seconds($0.lowerBound), duration: seconds($0.count)) }
        result.integratedLoudness = sound.integratedLoudness
        result.loudnessRange = sound.loudnessRange
        result.truePeak = sound.truePeak
        result.clippedSamples = sound.clippedSamples
        result.clippedShare = sound.clippedShare
        (result.noiseLevel, result.signalToNoise) = timeline.levels()
        return result
    }
}
