// SPDX-License-Identifier: MIT
internal import AudioKitLinux

extension EchoError {
    /// What a device or a sound file said, which tells what to do.
    init(audio error: any Error) {
        self = .audioError((error as? AudioError)?.message ?? "\(error)")
    }
}
