// SPDX-License-Identifier: MIT

/// Searches an utterance on several lanes at once while its sound comes in. Used on one queue at a time.
struct SoundSearch {
    private let frontEnd: FrontEnd
    private var lanes: [DecodingLane] = []
    /// The level and mean by which the sound is normalised.
    private var channel = Channel(gain: 1, mean: [], noise: 0, frames: 0)
    private var gain = InputGain(factor: 1)
    private var samplesTaken = 0
    private var cepstra: Cepstra
    private var framesFed = 0
    /// True while the lanes take sound.
    private(set) var isOpen = false

    /// Without sound; nobody else uses the front end.
    init(_ frontEnd: FrontEnd) {
        self.frontEnd = frontEnd
        cepstra = Cepstra(dimensions: frontEnd.dimensions, values: [])
    }

    /// Begins again by a known level and mean, for ``follow(_:)``.
    mutating func begin(by known: Channel, on lanes: [DecodingLane]) throws(SpeechError) {
        try begin(InputGain(factor: known.gain), lanes)
        channel = known
    }

    /// Searches the sound so far from its beginning, by its own level and mean.
    mutating func begin(with samples: [Float], on lanes: [DecodingLane]) throws(SpeechError) {
        try begin(InputGain(for: samples), lanes)
        try takeSound(of: samples)
        channel = own
        feed()
    }

    private mutating func begin(_ gain: InputGain, _ lanes: [DecodingLane]) throws(SpeechError) {
        guard frontEnd.begin() else { throw Self.failure }
        self.gain = gain
        self.lanes = lanes
        (samplesTaken, framesFed, isOpen) = (0, 0, true)
        cepstra = Cepstra(dimensions: frontEnd.dimensions, values: [])
        for lane in lanes { lane.begin() }
    }

    /// Searches what was searched on the other lanes on this one, too, unless it was.
    func include(_ lane: DecodingLane) {
        guard !lanes.contains(where: { $0 === lane }) else { return }
        lane.begin()
        lane.feed(cepstra.subtracting(channel.mean))
    }

    /// Goes on with what is new in the utterance.
    mutating func follow(_ samples: [Float]) throws(SpeechError) {
        try takeSound(of: samples)
        feed()
    }

    /// Goes on with what is new in the utterance, if it is searched by a level and a mean that turned out to fit it, and
    /// tells whether they do.
    mutating func followIfFitting(_ samples: [Float]) throws(SpeechError) -> Bool {
        try takeSound(of: samples)
        guard own.fits(channel, ownGain: InputGain(for: samples).factor) else { return false }
        feed()
        return true
    }

    /// The level and mean of the sound so far.
    var own: Channel {
        Channel(gain: gain.factor, mean: cepstra.mean(), noise: cepstra.noise, frames: cepstra.frameCount)
    }

    /// Takes no more sound. The lanes are to be ended by the caller, if it wants their paths.
    mutating func close() { isOpen = false }

    private mutating func takeSound(of samples: [Float]) throws(SpeechError) {
        guard let next = frontEnd.next(gain.scaled(samples[samplesTaken...])) else { throw Self.failure }
        samplesTaken = samples.count
        cepstra.append(next)
    }

    private mutating func feed() {
        guard cepstra.frameCount > framesFed else { return }
        let normalized = cepstra.frames(from: framesFed).subtracting(channel.mean)
        for lane in lanes { lane.feed(normalized) }
        framesFed = cepstra.frameCount
    }

    private static let failure = SpeechError(
        .recognitionFailed, "The utterance's features cannot be computed. Load the recogniser again.")
}
