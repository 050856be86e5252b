// SPDX-License-Identifier: MIT
internal import AudioKitLinux

extension EchoError {
    /// The error of a device or a sound file, with its advice.
    init(audio error: any Error) {
        self = .audioError((error as? AudioError)?.message ?? "\(error)")
    }
}
