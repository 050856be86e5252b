// SPDX-License-Identifier: MIT

import StructuredJSON
import Testing

@testable import Echo

@Suite struct TraceRedactionTests {
    @Test func wordsKeepTheirShape() {
        #expect(TraceRedaction.redacted("What is 42 + 1?\nÜber!") == "xxxx xx 00 + 0?\nxxxx!")
        for word in TracedConversation.words {
            let redacted = TraceRedaction.redacted(word)
            #expect(redacted.count == word.count, "\(word): \(redacted)")
            for (one, other) in zip(word, redacted) {
                #expect(one.isLetter == other.isLetter && one.isNumber == other.isNumber, "\(word): \(redacted)")
                #expect(one.isWhitespace == other.isWhitespace)
            }
            #expect(TraceRedaction.redacted(redacted) == redacted)
        }
    }

    @Test func piecesAreRedactedAsTheWholeIs() {
        let text = "Ünïcode, e\u{301}lan. 👨‍👩‍👧 한국어! हिन्दी 🇩🇪 42"
        let scalars = Array(text.unicodeScalars)
        for place in 0...scalars.count {
            let (first, second) = (scalars[..<place], scalars[place...])
            let pieces = [first, second].map { piece in
                TraceRedaction.redacted(String(String.UnicodeScalarView(piece)))
            }
            #expect(pieces.joined() == TraceRedaction.redacted(text))
        }
    }

    @Test func soundIsItsLengthAndHash() throws {
        let json: JSONValue = ["type": "input_audio_buffer.append", "audio": .string(Base64.encode([1, 2, 3]))]
        let redacted = TraceRedaction.redacted(json)
        #expect(redacted["audio"]?["bytes"] == 3)
        #expect(
            redacted["audio"]?["sha256"]
                == "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81")
        #expect(TraceRedaction.restored(redacted)["audio"] == .string(Base64.encode([0, 0, 0])))
    }

    @Test func everyEventOfTheServersIsReadFromATraceAsThatKind() async throws {
        func kind(_ event: ServerEvent) -> String? { Mirror(reflecting: event.detail).children.first?.label }
        let lines = try await RealtimeJudge.run("server_events.py")
        #expect(lines.count > 30)
        for line in lines {
            let json = try JSONValue(parsing: line)
            let event = try ServerEvent(json: json)
            #expect(event.json == json)
            let recorded = TraceRedaction.redacted(json)
            let again = try ServerEvent(json: TraceRedaction.restored(recorded))
            #expect(again.id == event.id && kind(again) == kind(event), "\(line)")
            #expect(TraceRedaction.redacted(TraceRedaction.restored(recorded)).text.count == recorded.text.count)
        }
    }

    @Test func everyFieldOfTheConfigurationIsInATrace() throws {
        var configuration = VoiceMachine.Configuration()
        configuration.session.transcription = RealtimeTranscription(model: .init(rawValue: "t"), language: "en")
        configuration.session.noiseReduction = .farField
        configuration.session.turnDetection = .automatic(.semantic(.low))
        configuration.session.voice = .custom(id: "voice")
        configuration.session.speed = 1.25
        configuration.session.tools = [.function(name: "f", description: nil, parameters: ["type": "object"])]
        configuration.session.reasoning = .low
        configuration.session.maximumOutputTokens = 99
        configuration.turns.idleTimeout = .seconds(9)
        configuration.turns.resumesAnswers = false
        configuration.turns.commit = .milliseconds(4_321)
        configuration.sessions.attempts = 3
        configuration.sessions.stable = .seconds(1)
        configuration.answers.pause = .milliseconds(7)
        configuration.transcripts.predecessor = .milliseconds(8)
        configuration.filler = VoiceConfiguration.Filler()
        configuration.filler?.delay = .seconds(4)
        configuration.maximumRounds = 5
        configuration.startAttempts = 4
        configuration.voiceBudget = 0.125
        configuration.runsTools = false
        configuration.hasGuardrail = true
        configuration.replacement = "xx."
        configuration.lead = .milliseconds(100)
        configuration.localVoice = .milliseconds(600)
        configuration.names = "v2"
        configuration.seed = .min + 1
        configuration.turns.longestTurn = .seconds(17)
        configuration.contextLimit = 1_234
        configuration.tokenScale = 0.3
        configuration.requestLimits = RequestLimits(
            requestsPerMinute: 7, tokensPerMinute: 8, followsServer: false, longestWait: .seconds(3))
        func read(_ configuration: VoiceMachine.Configuration) throws -> VoiceMachine.Configuration {
            try TraceCoding.value(VoiceMachine.Configuration.self, from: TraceCoding.json(configuration), "machine")
        }
        #expect(try read(configuration) == configuration)
        for detection in [TurnDetection.manual, .disabled, .automatic(VADConfiguration(idleTimeout: .seconds(6)))] {
            configuration.session.turnDetection = detection
            #expect(try read(configuration) == configuration)
        }
        configuration.turns.longestTurn = nil
        #expect(try read(configuration) == configuration)
        // One more would have to be in traces, too.
        #expect(Mirror(reflecting: configuration).children.count == 19)
        #expect(Mirror(reflecting: configuration.session).children.count == 9)
        #expect(Mirror(reflecting: configuration.turns).children.count == 7)
        #expect(Mirror(reflecting: configuration.sessions).children.count == 7)
        #expect(Mirror(reflecting: configuration.answers).children.count == 5)
        #expect(Mirror(reflecting: configuration.transcripts).children.count == 3)
    }
}
