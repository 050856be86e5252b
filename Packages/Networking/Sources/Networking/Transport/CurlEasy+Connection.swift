// SPDX-License-Identifier: MIT

import CCurl
import Concurrency

extension CurlEasy {
    /// Sets the options of a connection for any protocol: TLS, trust, pins, proxy and the time to connect.
    func setConnection(
        _ configuration: CurlTransport.Configuration, route: ProxyRoute, host: String, timeout: Duration?
    ) {
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        if let file = configuration.certificateAuthorityFile { trust(only: file) }
        setPins(CURLOPT_PINNEDPUBLICKEY, configuration.pins[host.lowercased()])
        setProxy(route, configuration)
        set(CURLOPT_TCP_NODELAY, 1)
        // The loop checks the time; libcurl's default of five minutes would end a longer wait than that.
        let limit = timeout.map { MonotonicTime(nanoseconds: 0).advanced(by: $0).nanoseconds / 1_000_000 }
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(min(max(limit ?? 86_400_000, 1) + 1_000, Int64(Int32.max))))
    }

    /// Trusts the certificates of one PEM file instead of the system's.
    func trust(only file: String) {
        set(CURLOPT_CAINFO, file)
        // Else libcurl would look into the system's folder, too.
        ccurl_set_string(handle, CURLOPT_CAPATH, nil)
    }

    private func setProxy(_ route: ProxyRoute, _ configuration: CurlTransport.Configuration) {
        // Both are set always, because libcurl looks into the environment for a missing one.
        set(CURLOPT_PROXY, route.address)
        set(CURLOPT_NOPROXY, route.exceptions)
        guard !route.address.isEmpty else { return }
        if let credentials = route.credentials { set(CURLOPT_PROXYUSERPWD, credentials) }
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_PROXY_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
        set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
        if let file = configuration.certificateAuthorityFile {
            set(CURLOPT_PROXY_CAINFO, file)
            ccurl_set_string(handle, CURLOPT_PROXY_CAPATH, nil)
        }
        setPins(CURLOPT_PROXY_PINNEDPUBLICKEY, configuration.pins[route.host])
    }

    private func setPins(_ option: CURLoption, _ pins: [PublicKeyPin]?) {
        guard let pins, !pins.isEmpty else { return }
        set(option, pins.map { "sha256//\($0.base64)" }.joined(separator: ";"))
    }

    func set(_ option: CURLoption, _ value: Int32) {
        set(option, Int(value))
    }

    func set(_ option: CURLoption, _ value: UInt32) {
        set(option, Int(value))
    }
}
