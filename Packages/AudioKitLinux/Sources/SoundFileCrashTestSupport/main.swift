// SPDX-License-Identifier: MIT

// Records for ever, and prints the number of written frames after each buffer; the tests kill it in the middle.
// usage: SoundFileCrashTestSupport FILE SEED

import AudioKitLinux
import Glibc

func record() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, var state = UInt64(arguments[2]) else { exit(2) }
    let writer = try SoundFileWriter(path: arguments[1], format: .speech)
    while true {
        let piece = (0..<320).map { _ -> Int16 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int16(truncatingIfNeeded: state >> 40) | 1
        }
        try writer.write(AudioBuffer(int16: piece, format: .speech))
        let line = Array("\(writer.framesWritten)\n".utf8)
        // The pipe is closed: the test has ended.
        guard write(1, line, line.count) == line.count else { exit(0) }
    }
}

do { try record() } catch {
    print("failed: \(error)")
    exit(1)
}
