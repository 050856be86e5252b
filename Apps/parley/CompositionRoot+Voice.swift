// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import Diagnostics
import Domain
import Echo

extension CompositionRoot {
    /// Microphone and loudspeaker of a voice conversation; nothing is opened yet but files.
    ///
    /// - Returns: The device, and what completes the output file.
    func voiceDevice(_ route: AudioRoute) throws -> (device: any VoiceDevice, files: FileVoiceDevice?) {
        let known: AudioDeviceInfo?
        do { known = route.device == "default" ? nil : try AudioDevices.find(route.device) } catch {
            throw DomainError(translating: error)
        }
        let hardware = known?.device ?? .alsa(route.device)
        let logger = logger.with(category: "voice")
        guard route.input != nil || route.output != nil else {
            return (ALSAVoiceDevice(capture: hardware, playback: hardware, logger: logger), nil)
        }
        let files = try FileVoiceDevice(
            input: try route.input.map(StandardSound.path), output: route.output, device: hardware, logger: logger)
        return (files, files)
    }
}
