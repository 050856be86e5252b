// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Echo
import Foundation
import Localization
import QRCodes
import TerminalKit
import TestKit
import Testing

@testable import parley

/// The parts of screens that need no device and no clock, at three widths, in English, both pseudo-languages and Japanese.
@Suite(.timeLimit(.minutes(5))) struct ComponentSnapshotTests {
    private typealias Sections = [(title: String, lines: [String])]
    private let glyphs = Glyphs(hasUnicode: true)

    private func translators() throws -> [(tag: String, translator: Translator)] {
        let source = URL(filePath: #filePath).appending(path: "../../../../l10n/ja.po").standardized.path
        let japanese = Translator(try #require(Language("ja")), catalogues: [try MessageCatalogue(path: source)])
        return [
            ("en", .english), ("en-XA", Translator(.accentedEnglish)), ("en-XB", Translator(.mirroredEnglish)),
            ("ja", japanese),
        ]
    }

    private func statistics(_ width: Int, _ translator: Translator) throws -> [String] {
        let sample = StatisticsTextTests()
        return StatisticsText(
            statistics: sample.statistics(sample.turns), since: StatisticsTextTests.first,
            today: try #require(CalendarDate("2026-03-03")), width: width, glyphs: glyphs, translator: translator
        ).lines
    }

    private func progress(_ width: Int, _ translator: Translator) throws -> [String] {
        let results = try [("2024-03-01", 4), ("2024-03-01", 0), ("2024-02-20", 5)].map { day, right in
            try PracticeSamples.result(
                day: day, evaluation: PracticeSamples.evaluation(right: right, missed: 5 - right))
        }
        return ProgressPlot(
            progress: PracticeProgress(of: results), today: try #require(CalendarDate("2024-03-01")),
            days: min(60, width - BarPlot.margin - 2), glyphs: glyphs, translator: translator
        ).lines
    }

    private func keys(_ width: Int, _ translator: Translator) throws -> [String] {
        let cue = try CueSamples.cue("one")
        let recording = Recording(
            cue: cue.id, createdAt: Date(timeIntervalSince1970: 0), duration: 1, format: .flac, sampleRate: 16_000,
            byteCount: 1, contentHash: "")
        let states: [PracticeState] = [
            .viewing(cue), .recording(cue, isPaused: false), .recording(cue, isPaused: true),
            .reviewing(cue, recording, interrupted: nil), .waiting(cue, recording, nil, isStored: true),
            .result(cue, recording, [], nil),
            .failed(cue, .signInNeeded),
        ]
        return states.map { PracticeKeys.help(for: $0, translator).line(width: width - 1, glyphs: glyphs) }
    }

    private func statusLines(_ width: Int, _ translator: Translator) -> [String] {
        var lines: [String] = []
        for isPushToTalk in [false, true] {
            var status = VoiceStatus(isPushToTalk: isPushToTalk, glyphs: glyphs, translator: translator)
            func look() { lines.append(status.text(width: width - 1)) }
            look()
            status.take(.connectionStatusChanged(.connected))
            status.take(.audioLevelChanged(0.1))
            look()
            if isPushToTalk { status.isTurnOpen = true } else { status.take(.userStartedSpeaking) }
            look()
            status.take(.userStoppedSpeaking)
            status.take(.assistantStartedSpeaking)
            status.take(.assistantTextDelta("The capital is Austin."))
            look()
            status.take(.assistantStoppedSpeaking)
            status.take(.audioStatusChanged(.muted))
            look()
        }
        var status = ListenStatus(wakeWord: "hey jarvis", glyphs: glyphs, translator: translator)
        for phase in [VoiceLoop.Phase.idle, .listening, .thinking, .speaking] {
            status.phase = phase
            lines.append(status.text)
        }
        (status.phase, status.level, status.words) = (.listening, -20, "what is")
        return (lines + [status.text]).map { StatusLine.fitted($0, width: width, glyphs: glyphs) }
    }

    private func codes() throws -> [String] {
        let code = try QRCode("parley-sync:folder:/mnt/shared#K7QX-2M9T")
        return code.lines(for: .dark) + [""] + code.lines(for: .light)
    }

    @Test func `parts look as they did`() throws {
        var sections: [String: Sections] = [:]
        for (tag, translator) in try translators() {
            for width in [40, 80, 120] {
                // As the program writes them.
                func add(_ name: String, _ lines: [String], wraps: Bool = true) {
                    let shown = lines.flatMap { line -> [String] in
                        wraps ? WrappedText.lines(line, width: width).components(separatedBy: "\n") : [line]
                    }
                    let title = "\(width) \(tag) \(name)"
                    sections[name, default: []].append((title, shown.map { $0.drawable(withColors: true) }))
                }
                add("stats", try statistics(width, translator))
                add("progress", try progress(width, translator))
                add("practice-keys", try keys(width, translator), wraps: false)
                add("voice", statusLines(width, translator), wraps: false)
                add("qr-code", try codes(), wraps: false)
            }
        }
        let texts = sections.mapValues { SnapshotFolder.text($0) }
        let found = try SnapshotFolder("Tests/ParleyTests/Snapshots").differences(from: texts)
        #expect(found.isEmpty, "\(found)")
    }
}
