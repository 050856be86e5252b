// SPDX-License-Identifier: MIT

// Records a virtual card into a sealed file, and prints its number of frames after each period; the tests kill it.
// usage: RecordingCrashTestSupport FILE SEED noise|silence flac16|oggOpus [BYTES: the file size limit]

import AudioKitLinux
import FoundationEssentials
import Glibc
import SealedRecordings
import Security

func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    // No reader is left: the test has ended.
    guard write(1, bytes, bytes.count) == bytes.count else { exit(0) }
}

func record() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 5, let seed = Int(arguments[2]), let encoding = SoundFileEncoding(rawValue: arguments[4])
    else { exit(2) }
    if arguments.count > 5, let bytes = UInt(arguments[5]) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
        guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(3) }
    }
    let isSilent = arguments[3] == "silence"
    let source = VirtualSource.generator { index in
        isSilent ? 0 : Float(Int16(truncatingIfNeeded: (index &+ seed) &* 2_654_435_761 >> 7)) / 32_768
    }
    let card = try VirtualCard(format: .speech, speed: 20, capture: source, playback: nil)
    var configuration = SealedRecorder.Configuration()
    configuration.format = .speech
    configuration.encoding = encoding
    let session = try await SealedRecorder(device: .virtual(card), configuration: configuration).start(
        at: arguments[1], id: "\(seed)", key: try SymmetricKey([UInt8](repeating: UInt8(seed), count: 32)),
        startedAt: Date(timeIntervalSince1970: 0))
    for await event in session.events {
        switch event {
        case .progress(let progress): say("\(AudioFormat.speech.frames(in: progress.duration))")
        case .ended(let summary):
            if case .failed(let error) = summary.ending { say("failed \(error.code.rawValue)") }
            say("kept \(summary.recording?.frameCount ?? 0) \(summary.recording?.isComplete ?? false)")
        }
    }
}

do {
    try await record()
} catch {
    say("error \(error)")
    exit(1)
}
