// SPDX-License-Identifier: MIT

/// A device that this system offers.
public struct AudioDeviceInfo: Sendable, Hashable {
    /// The name to give to `AudioDevice.alsa`.
    public let name: String
    /// One line for a person.
    public let description: String
    /// Which ways it can carry sound.
    public let directions: Set<AudioDirection>

    /// Makes a description of a device.
    public init(name: String, description: String, directions: Set<AudioDirection>) {
        self.name = name
        self.description = description
        self.directions = directions
    }

    /// The device, ready to be opened.
    public var device: AudioDevice { .alsa(name) }
}
