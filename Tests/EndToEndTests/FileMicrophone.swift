// SPDX-License-Identifier: MIT

import AudioKitLinuxTestSupport
import Foundation

/// An ALSA device whose microphone hears a file and whose loudspeaker writes another, by ALSA's plugin `file`, at the pace of a
/// sound server's clock: over anything without a clock the plugin would deliver hours in a moment.
final class FileMicrophone {
    /// The device's name, for whoever has ``home`` as HOME.
    static let device = "spoken"
    /// What the files hold: 16 bits, little-endian, one channel.
    static let sampleRate = 48_000

    private let server: PulseDaemon
    private let sound: String
    private let played: String

    /// Sets the device up in a home folder. Each time that it is opened the sound begins anew; at its end the plugin repeats the
    /// last block for ever, so that should be silence.
    ///
    /// - Parameter sound: A file of raw samples.
    init(hearing sound: String, home: String) async throws {
        server = try await PulseDaemon()
        self.sound = sound
        played = home + "/played.raw"
        let shape = "format S16_LE rate \(Self.sampleRate) channels 1"
        // The plugin takes the file for whatever its client asks for, so that is laid down.
        let configuration = """
            pcm.server_out \(server.definition(of: PulseDaemon.loudspeaker))
            pcm.server_in \(server.definition(of: PulseDaemon.monitor))
            pcm.file_out { type file slave.pcm "server_out" file "\(played)" format "raw" }
            pcm.file_in { type file slave.pcm "server_in" file "/dev/null" infile "\(sound)" format "raw" }
            pcm.\(Self.device) {
                type asym
                playback.pcm { type plug slave { pcm "file_out" \(shape) } }
                capture.pcm { type plug slave { pcm "file_in" \(shape) } }
            }

            """
        try Data(configuration.utf8).write(to: URL(filePath: home + "/.asoundrc"))
    }

    /// Lets the microphone hear more, as soon as it is at the end of what it had.
    func hear(_ samples: Data) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: sound))
        defer { try? file.close() }
        try file.seekToEnd()
        try file.write(contentsOf: samples)
    }

    /// What was played last, as its bytes.
    func heard() throws -> Data { try Data(contentsOf: URL(filePath: played)) }
}
