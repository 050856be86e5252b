// SPDX-License-Identifier: MIT

import AudioKitLinux
import Echo
import Foundation

/// A conversation with the devices that users have, through a PulseAudio server whose loudspeaker is `loop` and whose
/// microphone hears what is played to `room`: `through-server BASE JOURNAL SOCKET`. It ends with standard input.
struct ThroughServer {
    var base: String
    var socket: String
    let journal = Journal()

    func run() async throws {
        let device = ALSAVoiceDevice(
            capture: Self.device("room.monitor", at: socket), playback: Self.device("loop", at: socket))
        let echo = Echo(key: "bench", configuration: Talking.configuration(base, device))
        let conversation = try await echo.startConversation(
            mode: .audio, turnMode: .automatic(VADConfiguration(silenceDuration: .milliseconds(200))))
        let (start, processor) = (Journal.now, Journal.processorTime)
        Journal.say("{\"ready\": true}")
        await Self.endOfInput()
        journal.note(
            "end",
            [
                ("processor", Int(Journal.processorTime - processor)), ("wall", Int(Journal.now - start)),
                ("kilobytes", Journal.peakKilobytes),
            ])
        await conversation.close()
        await echo.close()
    }

    static func device(_ name: String, at socket: String) -> AudioDevice {
        .alsa("server", configuration: "pcm.server { type pulse server \"unix:\(socket)\" device \"\(name)\" }")
    }

    /// Returns when standard input has ended.
    static func endOfInput() async {
        await withCheckedContinuation { continuation in
            // Reading blocks, which is not for a thread that tasks run on.
            Thread {
                while readLine() != nil {}
                continuation.resume()
            }.start()
        }
    }
}
