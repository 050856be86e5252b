// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc

extension PCMHandle {
    /// Recovers the device after an error number of a read, a write or `available()`: after an xrun or a suspend it is
    /// prepared or running again. Returns true if sound was interrupted.
    ///
    /// Throws `unplugged`, `io`, or the failure of a virtual card.
    func recover(from code: Int) throws(AudioError) -> Bool {
        if let failure = deviceFailure { throw failure }
        switch Int32(-code) {
        case EAGAIN, EINTR:
            return false
        case EPIPE:
            try check(prepare())
        case ESTRPIPE where direction == .capture:
            // The device's remaining sound precedes the gap, and later sound would follow on directly: a new start has
            // its own time.
            try check(prepare())
        case ESTRPIPE:
            try wakeUp()
        default:
            throw failure(Int32(code))
        }
        return true
    }

    /// Throws the error that a negative error number means.
    func check(_ code: Int32) throws(AudioError) {
        guard code < 0 else { return }
        if let failure = deviceFailure { throw failure }
        throw failure(code)
    }

    private func failure(_ code: Int32) -> AudioError {
        if code == -ENODEV || code == -ENXIO || state == SND_PCM_STATE_DISCONNECTED {
            return AudioError(
                .unplugged, "The sound device \"\(name)\" was unplugged. Plug it in again, or choose another.",
                underlying: String(cString: snd_strerror(code)))
        }
        return AudioError(
            .io, "The sound device \"\(name)\" stopped working. Try again, or choose another device.",
            underlying: String(cString: snd_strerror(code)))
    }

    private func wakeUp() throws(AudioError) {
        var code = resume()
        var tries = 0
        while code == -EAGAIN, tries < 100 {
            usleep(50_000)
            tries += 1
            code = resume()
        }
        // Many drivers cannot resume; preparing again works for all of them.
        if code < 0 { try check(prepare()) }
    }
}
