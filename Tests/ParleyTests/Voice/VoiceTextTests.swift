// SPDX-License-Identifier: MIT

import Echo
import FoundationEssentials
import Localization
import TerminalKit
import Testing

@testable import parley

@Suite struct VoiceTextTests {
    private let console = Console(
        output: OutputStream(descriptor: 1), errors: OutputStream(descriptor: 2), isJSON: false,
        traits: TerminalTraits(environment: ["LANG": "C.UTF-8"], isTerminal: false))

    private func message(_ role: MessageRole, _ text: String, isInterrupted: Bool = false) -> EchoEvent {
        .messageFinalized(
            Message(
                id: "m", role: role, text: text, transcriptStatus: .completed, isInterrupted: isInterrupted,
                createdAt: Date(timeIntervalSince1970: 0)))
    }

    private func line(_ event: EchoEvent) -> String? { VoiceLine.text(event, name: "gpt-realtime", console) }

    @Test func whatIsSaidIsALineEach() {
        #expect(
            line(.userTranscriptionCompleted(transcript: "What is\u{1B}[31m it?", messageID: "u"))
                == "you: What is [31m it?")
        #expect(line(message(.assistant, "Austin.")) == "gpt-realtime: Austin.")
        #expect(line(message(.assistant, "The capital", isInterrupted: true)) == "gpt-realtime: The capital …")
        #expect(line(message(.user, "hello")) == nil, "its transcript has been shown")
        #expect(line(.audioLevelChanged(0.5)) == nil)
        let fallen = line(.modeChanged(.text, because: .budgetExceeded(spent: 0.6, limit: 0.5)))
        #expect(fallen?.contains("$0.5000 is used up") == true && fallen?.contains("in text") == true)
        #expect(line(.modeChanged(.audio, because: .requested)) == nil)
    }

    @Test func theLatencyIsInMilliseconds() {
        let heard = TurnLatency(turnID: 1, sent: .microseconds(2_600), audible: .milliseconds(420))
        #expect(VoiceLine.times(heard).map { "\($0)" } == "heard after 420 ms (sent 3 ms)")
        #expect(VoiceLine.times(TurnLatency(turnID: 2)) == nil, "nothing was heard")
    }

    @Test func theStatusLineSaysWhoSpeaks() {
        var status = VoiceStatus(
            isPushToTalk: false, glyphs: Glyphs(hasUnicode: false), translator: .english)
        #expect(status.text(width: 79).contains("connecting"))
        status.take(.connectionStatusChanged(.connected))
        status.take(.audioLevelChanged(0.1))
        #expect(status.text(width: 79) == "* #######... listening  Enter interrupts, m mutes, q ends")
        status.take(.userStartedSpeaking)
        #expect(status.text(width: 79).contains("hearing you"))
        status.take(.userStoppedSpeaking)
        status.take(.assistantStartedSpeaking)
        for word in ["The capital ", "is\n", "Austin."] { status.take(.assistantTextDelta(word)) }
        #expect(status.text(width: 79).hasSuffix("speaking  The capital is Austin."))
        #expect(status.text(width: 40).count <= 40 && status.text(width: 40).hasSuffix("Austin."))
        status.take(.assistantStoppedSpeaking)
        status.take(.audioStatusChanged(.muted))
        #expect(status.text(width: 79).contains("muted"))
        let meter = UsageMeter()
        meter.record(Usage(outputTokens: 1_230), model: "gpt-5")
        status.take(.usageCounted(nil, total: meter.totals))
        #expect(status.text(width: 79).contains("$0.0123"))
    }

    @Test func `an answer that is heard leaves the microphone muted`() {
        var status = VoiceStatus(
            isPushToTalk: false, glyphs: Glyphs(hasUnicode: false), translator: .english)
        status.take(.audioStatusChanged(.muted))
        for other in [AudioStatus.speaking, .idle] {
            status.take(.audioStatusChanged(other))
            #expect(status.isMuted, "\(other)")
        }
        status.take(.audioStatusChanged(.listening))
        #expect(!status.isMuted)
    }

    @Test func withPushToTalkItSaysWhatEnterDoes() {
        var status = VoiceStatus(
            isPushToTalk: true, glyphs: Glyphs(hasUnicode: true), translator: .english)
        status.take(.connectionStatusChanged(.connected))
        #expect(status.text(width: 79).contains("waiting  Enter begins your turn"))
        status.isTurnOpen = true
        #expect(status.text(width: 79).contains("hearing you  Enter ends your turn"))
        #expect(status.spoken == "hearing you. Enter ends your turn")
        let spoken = status.spoken
        status.take(.audioLevelChanged(0.5))
        #expect(status.spoken == spoken, "a level is no line of its own")
    }

    @Test func aFileIsOverWhenAllWasAnswered() {
        var progress = VoiceProgress()
        for event in [
            EchoEvent.userStartedSpeaking, .userStoppedSpeaking, .turnEnded(.user), .turnChanged(.assistant),
            .turnEnded(.assistant),
        ] {
            progress.take(event)
            #expect(!progress.isQuiet, "the file goes on")
        }
        progress.take(.userStartedSpeaking)
        progress.take(.audioInputEnded)
        #expect(!progress.isQuiet, "somebody speaks at its end")
        progress.take(.userStoppedSpeaking)
        progress.take(.turnEnded(.user))
        #expect(!progress.isQuiet, "an answer is owed")
        progress.take(.assistantStartedSpeaking)
        #expect(!progress.isQuiet)
        progress.take(message(.assistant, "Austin."))
        progress.take(.turnEnded(.assistant))
        #expect(progress.isQuiet && progress.answers == 1 && !progress.hasWords)
        progress.take(.userTranscriptionCompleted(transcript: " … ", messageID: "u"))
        #expect(!progress.hasWords)
    }
}
