// SPDX-License-Identifier: MIT

import CCurl

/// An easy handle with the memory that it points to: its error buffer and its header list.
///
/// SAFETY: one thread at a time uses a handle: the worker of its loop, which is the loop's thread or the caller of a
/// start (`CurlLoopInbox` lets one of them work, and its lock orders their work), or the one mail's thread that made
/// the handle.
final class CurlEasy: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer
    private let errorBuffer: UnsafeMutablePointer<CChar>
    private var lists: [UnsafeMutablePointer<curl_slist>] = []

    init?() {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(handle)
        lists.forEach { curl_slist_free_all($0) }
        errorBuffer.deallocate()
    }

    /// Resets everything but connections, and sets the options that every use of a handle needs.
    func reset() {
        curl_easy_reset(handle)
        lists.forEach { curl_slist_free_all($0) }
        lists = []
        errorBuffer.pointee = 0
        ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorBuffer)
        set(CURLOPT_NOSIGNAL, 1)
        // Without it, ending a handle whose name is still being looked up waits for the resolver's thread.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_REDIR_PROTOCOLS_STR, "https")
        set(CURLOPT_NETRC, 0)
    }

    func set(_ option: CURLoption, _ value: Int) {
        ccurl_set_long(handle, option, value)
    }

    func setConnectTimeout(_ limit: Duration) {
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, min(limit / .milliseconds(1), Double(Int32.max)))))
    }

    func set(_ option: CURLoption, offset value: Int64) {
        ccurl_set_offset(handle, option, curl_off_t(value))
    }

    func set(_ option: CURLoption, _ value: String) {
        ccurl_set_string(handle, option, value)
    }

    func set(_ option: CURLoption, pointer: UnsafeRawPointer?) {
        ccurl_set_pointer(handle, option, pointer)
    }

    /// Sets a list and keeps it until the handle is reset.
    func set(_ option: CURLoption, list lines: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = curl_slist_append(list, line) else { break }
            list = longer
        }
        guard let list else { return }
        lists.append(list)
        ccurl_set_list(handle, option, list)
    }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        ccurl_get_long(handle, info, &value)
        return value
    }

    func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        ccurl_get_offset(handle, info, &value)
        return Int64(value)
    }

    func string(_ info: CURLINFO) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        ccurl_get_string(handle, info, &value)
        return value.map { String(cString: $0) }
    }

    /// The server's own certificate as `Name:value` lines, if `CURLOPT_CERTINFO` was set.
    var certificateLines: [String] {
        var chain: UnsafeMutablePointer<curl_certinfo>?
        guard ccurl_get_certificates(handle, &chain) == CURLE_OK, let chain,
            chain.pointee.num_of_certs > 0
        else {
            return []
        }
        var lines: [String] = []
        var entry = chain.pointee.certinfo[0]
        while let line = entry {
            if let data = line.pointee.data { lines.append(String(cString: data)) }
            entry = line.pointee.next
        }
        return lines
    }

    /// libcurl's own words about the last failure, or its general ones about the result.
    func message(for result: CURLcode) -> String {
        errorBuffer.pointee != 0 ? String(cString: errorBuffer) : String(cString: curl_easy_strerror(result))
    }
}
