// SPDX-License-Identifier: MIT

import CCurl

/// A multi handle.
///
/// SAFETY: only the loop's thread uses the handle, except for `curl_multi_wakeup`, which any thread may call
/// (libcurl documents it so) and which the loop's inbox calls only while the handle lives.
final class CurlMulti: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer

    init?() {
        guard let handle = curl_multi_init() else { return nil }
        self.handle = handle
    }

    /// Frees the handle. Called once, by the loop's thread, as its last act.
    func free() {
        curl_multi_cleanup(handle)
    }
}
