// SPDX-License-Identifier: MIT

import TestKit
import Testing
import VoiceActivity

@Suite("End pointing")
struct EndpointerTests {
    /// Frames drawn as a line: `#` is certain speech, `+` lies between the thresholds, a space is silence.
    private static func frames(_ picture: String) -> [Float] {
        picture.map { $0 == "#" ? 0.95 : $0 == "+" ? 0.4 : 0.02 }
    }

    private static func silence(_ count: Int) -> String { String(repeating: " ", count: count) }
    private static func speech(_ count: Int) -> String { String(repeating: "#", count: count) }

    /// Ten frames of 10 ms are 1,600 samples.
    private static let question = silence(50) + speech(80) + silence(20) + speech(60) + silence(80)

    @Test("beginning, pauses and end have the positions of the frames") func positions() {
        var endpointer = Endpointer()
        let events = endpointer.process(Self.frames(Self.question))
        let start = (50 - 30) * 160
        let pause = { (last: Int, end: Int) in
            [Endpointer.Event.pauseBegan(lastSpeech: last * 160, detectedAt: (last + 6) * 160)]
                + (last + 7..<end).map { .pauseLasted(lastSpeech: last * 160, detectedAt: $0 * 160) }
        }
        #expect(
            events == [.speechStarted(at: start)] + pause(130, 151) + [.speechResumed(at: 150 * 160)] + pause(210, 280)
                + [.speechEnded(start..<(210 * 160), detectedAt: 280 * 160, because: .silence)])
        #expect(endpointer.finish().isEmpty)
    }

    @Test("a stream that starts elsewhere has its positions there") func origin() {
        var here = Endpointer(), there = Endpointer(startingAt: 1000)
        let picture = Self.frames(Self.speech(50) + Self.silence(80))
        #expect(here.process(picture).last == .speechEnded(0..<8000, detectedAt: 120 * 160, because: .silence))
        #expect(
            there.process(picture).last
                == .speechEnded(1000..<9000, detectedAt: 1000 + 120 * 160, because: .silence))
    }

    @Test("what wavers between the thresholds neither begins speech nor ends it") func hysteresis() {
        var endpointer = Endpointer()
        let wavering = String(repeating: "+", count: 200)
        #expect(endpointer.process(Self.frames(wavering)).isEmpty)
        let started = endpointer.process(Self.frames(Self.speech(20)))
        #expect(started.count == 1)
        #expect(endpointer.process([Float](repeating: endpointer.speechThreshold - 0.05, count: 100)).isEmpty)
        #expect(endpointer.isInSpeech)
    }

    @Test("a click is told as discarded") func click() {
        var endpointer = Endpointer()
        let events = endpointer.process(Self.frames(Self.silence(40) + Self.speech(10) + Self.silence(80)))
        #expect(
            events == [
                .speechStarted(at: 10 * 160), .speechDiscarded((10 * 160)..<(50 * 160), detectedAt: 120 * 160),
            ])
    }

    @Test("endless speech is cut at the limit, and no sample is lost between the parts") func limit() {
        var configuration = Endpointer.Configuration()
        configuration.longestSpeech = .seconds(2)
        var endpointer = Endpointer(configuration: configuration)
        let events = endpointer.process(Self.frames(Self.speech(700))) + endpointer.finish()
        let ranges = events.compactMap { event -> Range<Int>? in
            if case .speechEnded(let range, _, _) = event { range } else { nil }
        }
        #expect(ranges == [0..<32_000, 32_000..<64_000, 64_000..<96_000, 96_000..<112_000])
        #expect(events.last == .speechEnded(96_000..<112_000, detectedAt: 112_000, because: .streamEnd))
    }

    @Test("the pre-roll does not reach into what was said before") func preRoll() {
        var configuration = Endpointer.Configuration()
        configuration.minimumSilence = .milliseconds(200)
        var endpointer = Endpointer(configuration: configuration)
        let events = endpointer.process(Self.frames(Self.speech(40) + Self.silence(22) + Self.speech(40)))
        #expect(events.last == .speechStarted(at: 40 * 160))
    }

    @Test("a restless room raises the thresholds, a calm one lowers them again") func room() {
        var endpointer = Endpointer()
        #expect(endpointer.speechThreshold == 0.5)
        #expect(endpointer.process([Float](repeating: 0.45, count: 1500)).isEmpty)
        #expect(endpointer.speechThreshold > 0.75)
        #expect(endpointer.process([Float](repeating: 0.7, count: 20)).isEmpty)
        #expect(endpointer.process([Float](repeating: 0.01, count: 1500)).isEmpty)
        #expect(endpointer.speechThreshold < 0.55)
        #expect(endpointer.process([Float](repeating: 0.7, count: 20)).count == 1)
    }

    @Test("without adaptation the thresholds stay") func fixedThresholds() {
        var configuration = Endpointer.Configuration()
        configuration.roomAdaptation = 0
        var endpointer = Endpointer(configuration: configuration)
        _ = endpointer.process([Float](repeating: 0.45, count: 1500))
        #expect(endpointer.speechThreshold == 0.5)
    }

    @Test("what is no number is silence") func brokenProbabilities() {
        var endpointer = Endpointer()
        #expect(endpointer.process([.nan, -.infinity, -1] + [Float](repeating: .nan, count: 500)).isEmpty)
        #expect(endpointer.speechThreshold == 0.5)
        #expect(endpointer.process([Float](repeating: .infinity, count: 10)).count == 1)
    }

    @Test("any frames give well-formed events, however they are cut", arguments: 1...40 as ClosedRange<UInt64>)
    func anyFrames(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var probabilities: [Float] = []
        while probabilities.count < 4000 {
            let level = Float(random.next() % 100) / 100
            for _ in 0...(random.next() % 120) { probabilities.append(level * Float(70 + random.next() % 30) / 100) }
        }
        var configuration = Endpointer.Configuration()
        configuration.longestSpeech = .seconds(4)
        var whole = Endpointer(configuration: configuration), cut = whole
        let events = whole.process(probabilities) + whole.finish()
        var pieces: [Endpointer.Event] = []
        for probability in probabilities { pieces += cut.process([probability]) }
        #expect(pieces + cut.finish() == events, "seed \(seed)")
        var order = EventOrder(longest: 64_000)
        for event in events {
            let isAccepted = order.accepts(event)
            #expect(isAccepted, "seed \(seed): \(event)")
        }
        #expect(!order.isOpen, "seed \(seed)")
    }
}

/// The rules that events keep, as an oracle that knows nothing of thresholds.
private struct EventOrder {
    let longest: Int
    var start: Int?
    var pause = 0
    var lastEnd = 0

    init(longest: Int) { self.longest = longest }

    var isOpen: Bool { start != nil }

    mutating func accepts(_ event: Endpointer.Event) -> Bool {
        switch event {
        case .speechStarted(let at):
            defer { (start, pause) = (at, 0) }
            return start == nil && at >= lastEnd
        case .pauseBegan(let last, let detected):
            defer { pause = 1 }
            return pause == 0 && last > start ?? .max && detected - last == 60 * 16
        case .pauseLasted(let last, let detected):
            defer { pause += 1 }
            return pause > 0 && detected - last == (6 + pause) * 160
        case .speechResumed(let at):
            defer { pause = 0 }
            return pause > 0 && at > start ?? .max
        case .speechEnded(let range, let detected, let ending):
            defer { (start, lastEnd) = (nil, range.upperBound) }
            let isRight =
                switch ending {
                case .silence: detected - range.upperBound == 700 * 16
                case .limit: detected == range.upperBound && range.count == longest
                case .streamEnd: detected >= range.upperBound
                }
            return range.lowerBound == start && range.count <= longest && isRight
        case .speechDiscarded(let range, let detected):
            defer { (start, lastEnd) = (nil, range.upperBound) }
            return range.lowerBound == start && detected >= range.upperBound
        }
    }
}
