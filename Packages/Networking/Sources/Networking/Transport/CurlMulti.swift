// SPDX-License-Identifier: MIT

import CCurl

/// A multi handle.
///
/// SAFETY: `CurlLoopInbox` lets one thread at a time use the handle.
final class CurlMulti: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    init?() {
        guard let handle = curl_multi_init() else { return nil }
        self.handle = handle
    }

    /// Sets an option of `curl_multi_setopt` that is a number.
    func set(_ option: CURLMoption, _ value: Int) {
        ccurl_multi_set_long(handle, option, value)
    }

    /// Registers the core for the events that libcurl waits for. The core must outlive the handle.
    func setCallbacks(_ core: CurlLoopCore) {
        let context = Unmanaged.passUnretained(core).toOpaque()
        ccurl_multi_set_callbacks(
            handle, context,
            { _, socket, events, context, _ in
                CurlLoopCore.from(context)?.wants(events, of: socket)
                return 0
            },
            { _, milliseconds, context in
                CurlLoopCore.from(context)?.wantsCall(inMilliseconds: milliseconds)
                return 0
            })
    }

    /// Adds an easy handle.
    ///
    /// - Returns: True if libcurl took it.
    func add(_ easy: CurlEasy) -> Bool {
        curl_multi_add_handle(handle, easy.handle) == CURLM_OK
    }

    /// Removes an easy handle, and its connection unless its exchange is over.
    func remove(_ easy: UnsafeMutableRawPointer) {
        curl_multi_remove_handle(handle, easy)
    }

    /// Lets libcurl work on a socket that is ready, or, for `CURL_SOCKET_TIMEOUT`, because time has passed.
    func act(on socket: curl_socket_t, events: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(handle, socket, events, &running)
    }

    /// The next exchange that libcurl has ended: its handle and the result.
    func nextDone() -> (handle: UnsafeMutableRawPointer, result: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(handle, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            return (handle, ccurl_message_result(message))
        }
        return nil
    }

    /// Frees the handle. Called once, by the loop's thread, as its last act.
    func free() {
        curl_multi_cleanup(handle)
    }
}

extension CurlLoopCore {
    /// The core behind a callback's context.
    fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> CurlLoopCore? {
        context.map { Unmanaged<CurlLoopCore>.fromOpaque($0).takeUnretainedValue() }
    }
}
