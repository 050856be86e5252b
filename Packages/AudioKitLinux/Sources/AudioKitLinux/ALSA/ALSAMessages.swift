// SPDX-License-Identifier: MIT
internal import CALSA

/// Keeps libasound from printing to stderr and hands out its words instead. It works for each thread by itself: what
/// other code in the process does with ALSA stays as it was.
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
