// SPDX-License-Identifier: MIT

internal import CALSA
internal import Glibc

/// Turns ALSA's error numbers into errors with advice.
enum OpenFailure {
    /// The access that this user has to `/dev/snd`.
    enum CardNodes: Sendable, CaseIterable {
        case none, forbidden, usable
    }

    /// Inspects `/dev/snd`.
    static func cardNodes() -> CardNodes {
        guard let folder = opendir("/dev/snd") else { return .none }
        defer { closedir(folder) }
        var found = CardNodes.none
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix("controlC") || name.hasPrefix("pcmC") else { continue }
            if access("/dev/snd/\(name)", R_OK | W_OK) == 0 { return .usable }
            found = .forbidden
        }
        return found
    }

    /// The error for a failed open of `name`: `code` is ALSA's negative error number.
    static func error(name: String, code: Int32, nodes: CardNodes, text: String?) -> AudioError {
        let underlying = text ?? String(cString: strerror(-code))
        switch -code {
        case EBUSY, EAGAIN:
            return AudioError(
                .deviceBusy,
                "The sound device \"\(name)\" is in use by another program. Close that program, or choose another"
                    + " device.", underlying: underlying)
        case EACCES, EPERM:
            return forbidden(name, underlying)
        case _ where nodes == .forbidden:
            return forbidden(name, underlying)
        case ECONNREFUSED, EHOSTDOWN:
            return AudioError(
                .deviceNotFound,
                "The sound server behind \"\(name)\" does not answer. Start PulseAudio or PipeWire, or choose another"
                    + " device.", underlying: underlying)
        case EINVAL where nodes == .usable:
            return AudioError(
                .deviceNotFound, "\"\(name)\" is not the name of a sound device. List the devices and choose one.",
                underlying: underlying)
        case _ where nodes == .none:
            return AudioError(
                .deviceNotFound,
                "The sound device \"\(name)\" cannot be opened: this machine has no sound card. Plug one in, start"
                    + " PulseAudio or PipeWire, or use sound files instead.", underlying: underlying)
        default:
            return AudioError(
                .deviceNotFound, "There is no sound device \"\(name)\". List the devices and choose one.",
                underlying: underlying)
        }
    }

    private static func forbidden(_ name: String, _ underlying: String) -> AudioError {
        AudioError(
            .permission,
            "You may not use the sound device \"\(name)\". Join the group \"audio\" (sudo usermod -aG audio $USER) and"
                + " log in again.", underlying: underlying)
    }
}

/// Keeps libasound from printing to stderr and returns its messages instead. It works per thread: ALSA's messages to
/// other code in the process stay as they were.
enum ALSAMessages {
    /// Runs `body` on this thread and returns its result with the first message that libasound meant to print.
    static func gather<Result>(_ body: () -> Result) -> (Result, String?) {
        let earlier = parley_alsa_gather_begin()
        defer { parley_alsa_gather_end(earlier) }
        let result = body()
        let lines = String(cString: parley_alsa_gathered()).split(separator: "\n")
        return (result, lines.isEmpty ? nil : lines.joined(separator: "; "))
    }
}
