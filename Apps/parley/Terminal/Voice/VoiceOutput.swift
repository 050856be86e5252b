// SPDX-License-Identifier: MIT

import Diagnostics
import Echo

/// The JSON form of the events of a conversation by voice. All times are milliseconds.
struct VoiceOutput: Encodable {
    private let event: String
    private var id: String?
    private var text: String?
    private var isInterrupted: Bool?
    private var sent: Double?
    private var firstEvent: Double?
    private var firstAudio: Double?
    private var audible: Double?
    private var cost: Double?
    private var total: Double?
    private var mode: String?
    private var status: String?

    /// `nil` for an event that is not part of the output.
    init?(_ detail: EchoEvent) {
        switch detail {
        case .userTranscriptionCompleted(let transcript, let messageID):
            event = "transcript"
            (id, text) = (messageID, transcript)
        case .messageFinalized(let message) where message.role == .assistant && !message.text.isEmpty:
            event = "answer"
            (id, text) = (message.id, message.text)
            isInterrupted = message.isInterrupted ? true : nil
        case .turnTimed(let latency):
            event = "latency"
            sent = latency.sent?.milliseconds
            firstEvent = latency.firstEvent?.milliseconds
            firstAudio = latency.firstAudio?.milliseconds
            audible = latency.audible?.milliseconds
        case .usageCounted(let cost, let total):
            event = "cost"
            (self.cost, self.total) = (cost?.total, total.cost)
        case .modeChanged(let mode, _):
            event = "mode"
            self.mode = mode == .audio ? "voice" : "text"
        case .connectionStatusChanged(let status):
            event = "connection"
            self.status = status.rawValue
        case .assistantInterrupted: event = "interrupted"
        default: return nil
        }
    }
}
