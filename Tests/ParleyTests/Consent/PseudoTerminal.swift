// SPDX-License-Identifier: MIT

import Glibc
import Testing

/// A terminal without echo whose keyboard is the test.
final class PseudoTerminal: Sendable {
    /// The end at which keys are typed and output is read.
    let keyboard: Int32
    /// The end that a program uses.
    let descriptor: Int32

    init() throws {
        // ptmx(4): Glibc shows the functions for it to GNU programs alone.
        keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var unlocked: Int32 = 0
        var number: UInt32 = 0
        let isUnlocked = ioctl(keyboard, 0x4004_5431, &unlocked) == 0 && ioctl(keyboard, 0x8004_5430, &number) == 0
        descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(isUnlocked && descriptor >= 0)
        var settings = termios()
        tcgetattr(descriptor, &settings)
        settings.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(descriptor, TCSANOW, &settings)
    }

    deinit {
        close(keyboard)
        close(descriptor)
    }

    func type(_ text: String) { _ = text.withCString { write(keyboard, $0, strlen($0)) } }
}
