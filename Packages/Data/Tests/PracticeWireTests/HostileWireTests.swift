// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import PracticeWire
import Testing

/// What others send is read as far as it can be, and refused with a reason where it cannot.
@Suite struct HostileWireTests {
    private let good = """
        {"id": "6E5F8A58-2A35-4C21-9D2B-3D5C0B8C9F10", "text": "Hello", "language": "EN-us", "topic": "greetings", "level": 1,
        "created_at": "2024-02-29T12:00:00Z", "colour": {"deep": [1, null]}}
        """

    private func failure<Value>(_ body: () throws -> Value) -> MappingFailure? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? MappingFailure
        }
    }

    @Test func aBrokenItemIsSkippedAndThePageStays() throws {
        let broken = [
            "null", "7", "\"text\"", "[]", "{}", good.replacing("\"level\": 1", with: "\"level\": 9"),
            good.replacing("\"level\": 1", with: "\"level\": 1.5"),
            good.replacing("\"level\": 1", with: "\"level\": 1e400"),
            good.replacing("\"level\": 1", with: "\"level\": \"1\""), good.replacing("\"Hello\"", with: "\"  \""),
            good.replacing("\"Hello\"", with: "null"), good.replacing("EN-us", with: "english"),
            good.replacing("6E5F8A58", with: "6E5F8A5"), good.replacing("T12", with: " 12"),
            good.replacing("2024-02-29", with: "2023-02-29"), good.replacing("\"topic\"", with: "\"Topic\""),
            good.replacing("Hello", with: String(repeating: "x", count: 501)),
        ]
        let json = "{\"items\": [\(good),\(broken.joined(separator: ",")),\(good)], \"next\": null, \"more\": {}}"
        let page = try WireJSON.decode(CuePageDTO.self, from: Array(json.utf8)).page()
        #expect(page.cues.map(\.text) == ["Hello", "Hello"])
        #expect(page.cues.first?.language.description == "en-US")
        #expect(page.skipped.map(\.index) == Array(1...broken.count))
        #expect(page.skipped.allSatisfy { !$0.reason.isEmpty })
        #expect(page.skipped[5].reason == "“level” is not between 1 and 6.")
        #expect(page.skipped[4].reason == "“items.5.id” is missing.", "\(page.skipped[4])")
    }

    @Test(arguments: [
        "", "{", "[]", "null", "{}", "{\"items\": {}}", "{\"items\": null}", "{\"items\": [], \"next\": 7}",
        "{\"items\": [], \"next\": \"x\"}", "{\"items\": [], \"next\": \"12_x\"}", "\u{FEFF}{\"items\": []",
        String(repeating: "[", count: 100_000),
    ])
    func whatIsNoPageIsRefused(_ json: String) {
        #expect(failure { try WireJSON.decode(CuePageDTO.self, from: Array(json.utf8)).page() } != nil)
        #expect(failure { try WireJSON.decode(PracticePageDTO.self, from: Array(json.utf8)).page() } != nil)
    }

    @Test func bytesThatAreNoTextAreRefused() throws {
        let json = Array("{\"items\": [], \"next\": \"".utf8) + [0xFF, 0xC0] + Array("\"}".utf8)
        #expect(failure { try WireJSON.decode(CuePageDTO.self, from: json).page() } != nil)
    }

    @Test func aBatchIsTurnedDownAsAWhole() throws {
        var items = try (0..<3).map { _ in PracticeResultDTO(try PracticeSamples.result()) }
        items[2].rating = 5
        var batch = PracticeBatchDTO([])
        batch.items = items
        #expect(failure { try batch.results() } == MappingFailure("items.2.rating", "is not between 1 and 4"))
        batch.items = Array(repeating: items[0], count: 201)
        #expect(failure { try batch.results() }?.field == "items")
    }

    @Test func unknownNamesAreWhatTheDocumentationSays() throws {
        var evaluation = EvaluationDTO(PracticeSamples.evaluation())
        evaluation.words?[0].verdict = "sung"
        #expect(try evaluation.evaluation().words?.first == JudgedWord(text: "right", verdict: .unjudged))
        evaluation.source = "moon"
        #expect(failure { try evaluation.evaluation() }?.field == "source")

        var state = EvaluationStateDTO(.waiting)
        state.state = "dreaming"
        #expect(try state.stage == .running && state.finished() == nil)
        state.state = "done"
        #expect(failure { try state.finished() }?.field == "evaluation")

        let json = """
            {"id": "r", "place": "moon", "deleted_at": "2024-01-01T00:00:00Z", "counts": {}}
            """
        #expect(
            failure { try WireJSON.decode(DeletionReceiptDTO.self, from: Array(json.utf8)).receipt() }?.field == "place"
        )
    }

    @Test(arguments: [
        ("clipped_share", "1.5"), ("clipped_share", "-0.1"), ("speech_duration", "-1"), ("speech_duration", "1e300"),
        ("speech_duration", "null"), ("pauses", "[{\"start\": -1, \"duration\": 1}]"), ("pauses", "[{}]"),
        ("words", "[{\"text\": 7, \"verdict\": \"right\"}]"), ("words", "{}"), ("loudness", "\"loud\""),
        ("words_per_minute", "-1"), ("words_per_minute", "1e300"), ("loudness", "-1e19"), ("true_peak", "1e19"),
        ("noise_level", "-1e300"), ("signal_to_noise", "1e19"),
    ])
    func anEvaluationThatCannotBeIsRefused(_ member: String, _ value: String) throws {
        var members = [
            "source": "\"server\"", "words": "null", "speech_duration": "1", "pauses": "[]", "clipped_share": "0",
        ]
        func evaluation() throws -> Evaluation {
            let json = members.map { "\"\($0)\": \($1)" }.joined(separator: ",")
            return try WireJSON.decode(EvaluationDTO.self, from: Array("{\(json)}".utf8)).evaluation()
        }
        #expect(try evaluation().source == .server)
        members[member] = value
        #expect(failure { try evaluation() } != nil)
    }

    @Test func aBrokenFlagLeavesTheOthers() throws {
        let json = """
            {"flags": {"a": {"value": true}, "b": {"value": null}, "c": {"value": [1]}, "d": {"value": 1, "rollout": 10001},
            "e": {"value": "x", "expires_at": "soon"}, "f": 7, "g": {"value": 2.0, "rollout": 1, "why": {}}, "h": {}}}
            """
        let config = try WireJSON.decode(AppConfigDTO.self, from: Array(json.utf8))
        let rules = config.config(at: Date(timeIntervalSince1970: 0)).rules
        #expect(Set(rules.keys) == ["a", "g"] && Set(config.skipped.keys) == ["b", "c", "d", "e", "f", "h"])
        #expect(rules["a"]?.value == .boolean(true) && rules["a"]?.rollout == 10_000 && rules["g"]?.rollout == 1)
        #expect(failure { try WireJSON.decode(AppConfigDTO.self, from: Array("{\"flags\": []}".utf8)) } != nil)
    }

    @Test func uploadMetadataIsChecked() throws {
        let recording = Recording(
            cue: .init(), createdAt: Date(timeIntervalSince1970: 1), duration: 1, format: .flac, sampleRate: 16_000,
            byteCount: 5, contentHash: String(repeating: "a", count: 64))
        let metadata = recording.uploadMetadata
        for (key, value) in [
            ("id", "x"), ("cue", ""), ("created_at", "now"), ("duration", "nan"), ("duration", "inf"),
            ("duration", "x"),
            ("duration", "-1"), ("format", "mp3"), ("sample_rate", "1"), ("sample_rate", "16k"), ("sha256", "aa"),
            ("sha256", String(repeating: "g", count: 64)),
        ] {
            var changed = metadata
            changed[key] = value
            #expect(failure { try Recording(uploadMetadata: changed, byteCount: 5) }?.field == key)
            changed[key] = nil
            #expect(
                failure { try Recording(uploadMetadata: changed, byteCount: 5) } == MappingFailure(key, "is missing"))
        }
        #expect(failure { try Recording(uploadMetadata: metadata, byteCount: -1) } != nil)
    }

    @Test(arguments: [
        ("limit", "0"), ("limit", "201"), ("limit", "x"), ("limit", ""), ("after", "x"), ("language", "english"),
        ("level", "0"), ("level", "7"), ("order", "random"), ("order", "shuffled"),
        ("topic", String(repeating: "x", count: 61)),
    ])
    func aParameterOfCuesThatCannotBeIsNamed(_ name: String, _ value: String) {
        let field = failure { try QueryParameters([(name, value)]).cueQuery() }?.field
        #expect(field == (value == "shuffled" ? "seed" : name))
    }

    @Test(arguments: [
        ("limit", "0"), ("after", "1"), ("cue", "x"), ("rating", "0"), ("rating", "5"), ("since", "2023-02-29"),
        ("until", "tomorrow"), ("language", "1"),
    ])
    func aParameterOfResultsThatCannotBeIsNamed(_ name: String, _ value: String) {
        #expect(failure { try QueryParameters([(name, value)]).practiceQuery() }?.field == name)
    }

    @Test(arguments: [
        ("2024-02-29T12:00:00Z", 1_709_208_000.0), ("2024-02-29t12:00:00.5z", 1_709_208_000.5),
        ("2024-02-29T12:00:00.123456789+01:30", 1_709_202_600.123), ("2016-12-31T23:59:60Z", 1_483_228_800),
        ("2024-02-29T12:00:00-00:00", 1_709_208_000), ("2024-02-29T12:00:00-05:00", 1_709_226_000),
    ])
    func timesOfAllForms(_ text: String, _ seconds: Double) {
        #expect(WireTime.date(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test(arguments: [
        "", "2024-02-29", "2024-02-29T12:00:00", "2024-02-29 12:00:00Z", "2023-02-29T12:00:00Z", "2024-02-29T24:00:00Z",
        "2024-02-29T12:60:00Z", "2024-02-29T12:00:61Z", "2024-02-29T12:00:00.Z", "2024-02-29T12:00:00+1:00",
        "2024-02-29T12:00:00+0100", "2024-02-29T12:00:00+24:00", "2024-02-29T+2:00:00Z", "2024-02-29T12:00:00ZZ",
        "2024-02-29T12:00:00.5e3Z", "20240229T120000Z", "2024-02-29T12:00:00\u{0660}Z",
    ])
    func whatIsNoTime(_ text: String) {
        #expect(WireTime.date(text) == nil)
    }
}
