// SPDX-License-Identifier: MIT

import CCurl
import Digests
import Glibc

/// libcurl's result code, kept as the cause of a `NetworkError`.
public struct CurlResult: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code (curl.se/libcurl/c/libcurl-errors.html).
    public let rawValue: UInt32

    /// The code's description by libcurl.
    public var description: String { String(cString: curl_easy_strerror(CURLcode(rawValue))) }
}

extension NetworkError {
    /// Translates libcurl's result.
    init(curl result: CURLcode, on easy: CurlEasy, timeouts: HTTPTimeouts?) {
        let answer = easy.long(CURLINFO_HTTP_CONNECTCODE)
        guard answer < 300 else {
            self.init(proxyAnswer: answer, underlying: CurlResult(rawValue: result.rawValue))
            return
        }
        let detail = easy.message(for: result)
        let (code, advice) =
            result == CURLE_PROXY
            ? Self.meaning(ofProxyError: CURLproxycode(UInt32(easy.long(CURLINFO_PROXY_ERROR))))
            : Self.meaning(of: result, systemError: Int32(easy.long(CURLINFO_OS_ERRNO)), detail: detail)
        self.init(code: code, message: "\(detail). \(advice)", underlying: CurlResult(rawValue: result.rawValue))
    }

    /// Translates libcurl's result for a connection to a host; a pin error names the host that presented the wrong key.
    init(
        curl result: CURLcode, on easy: CurlEasy, timeouts: HTTPTimeouts?, host: String?, route: ProxyRoute,
        configuration: CurlTransport.Configuration
    ) {
        self.init(curl: result, on: easy, timeouts: timeouts)
        guard code == .pin else { return }
        let host = host?.lowercased() ?? ""
        let name = configuration.pins[host] == nil ? route.host : host
        message = """
            \(name) presents a key that is not pinned for it, so nothing was sent: the connection may be intercepted. \
            \(configuration.pinAdvice(name))
            """
    }

    private static func meaning(of result: CURLcode, systemError: Int32, detail: String) -> (Code, String) {
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            (.resolve, "Check the host's name and the network.")
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED:
            (.connect, "Check that the server runs and that the network reaches it.")
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            (.pin, "The server's key is not one that this program trusts; the connection may be intercepted.")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CRL_BADFILE:
            (.certificate, "Check the server's certificate, and this machine's date.")
        case CURLE_SSL_CACERT_BADFILE:
            (.file, "Check certificateAuthorityFile.")
        case CURLE_SSL_CONNECT_ERROR
        where systemError == ECONNRESET || systemError == EPIPE
            || detail.contains("SSL_ERROR_SYSCALL") || detail.contains("unexpected eof"):
            (.connectionLost, "The server closed the connection while TLS was being agreed on.")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_CERTPROBLEM,
            CURLE_USE_SSL_FAILED:
            (.secure, "Check that the server supports TLS 1.2 or later on that port.")
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_HTTP2,
            CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND, CURLE_SSL_SHUTDOWN_FAILED, CURLE_NO_CONNECTION_AVAILABLE:
            (.connectionLost, "Try again.")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
            (.invalidResponse, "The server does not speak HTTP as it should.")
        case CURLE_BAD_CONTENT_ENCODING:
            (.invalidResponse, "The compressed body is damaged; \"Accept-Encoding: identity\" asks for it as it is.")
        case CURLE_OUT_OF_MEMORY:
            (.outOfMemory, "Close other connections, or read bodies as streams.")
        case CURLE_OPERATION_TIMEDOUT: (.timeout, "Try again, or allow more time.")
        case CURLE_URL_MALFORMAT: (.invalidRequest, "Check the address.")
        default: (.other, "libcurl's result is \(result.rawValue).")
        }
    }

    /// A proxy's answer to CONNECT that is not a success.
    private init(proxyAnswer status: Int, underlying: CurlResult) {
        let (code, message): (Code, String) =
            switch status {
            case 407: (.proxy, "The proxy requires another user name or password. Write them into the proxy's address.")
            case 502, 503, 504: (.connect, "The proxy cannot reach the server (\(status)). Try again.")
            default:
                (
                    .proxy,
                    "The proxy refuses this destination (status \(status)). Ask its operator, or use another proxy."
                )
            }
        self.init(code: code, message: message, underlying: underlying, status: status)
    }

    static func connectTimeout(_ limit: Duration?) -> NetworkError {
        timeout(.connectTimeout, "There was no connection", limit)
    }

    static func timeout(_ code: Code, _ what: String, _ limit: Duration?) -> NetworkError {
        NetworkError(
            code: code,
            message: "\(what) within \(limit.map { "\($0)" } ?? "the limit"). Try again, or allow more time.")
    }
}

extension NetworkError {
    /// Translates a SOCKS proxy's failure to connect (RFC 1928 §6). The proxy's own refusal is a `proxy` error; a
    /// server that it does not reach is a fault of the network.
    static func meaning(ofProxyError error: CURLproxycode) -> (Code, String) {
        switch error {
        // Servers that tell no reasons apart, as ssh's, answer "general failure" to all.
        case CURLPX_REPLY_CONNECTION_REFUSED, CURLPX_REPLY_HOST_UNREACHABLE, CURLPX_REPLY_NETWORK_UNREACHABLE,
            CURLPX_REPLY_TTL_EXPIRED, CURLPX_REPLY_GENERAL_SERVER_FAILURE:
            (.connect, "The proxy cannot reach the server. Check that it runs, or try again.")
        case CURLPX_RESOLVE_HOST:
            (.resolve, "Check the host's name; a proxy at socks5h://… resolves it itself.")
        case CURLPX_CLOSED, CURLPX_RECV_ADDRESS, CURLPX_RECV_AUTH, CURLPX_RECV_CONNECT, CURLPX_RECV_REQACK,
            CURLPX_SEND_AUTH, CURLPX_SEND_CONNECT, CURLPX_SEND_REQUEST:
            (.connectionLost, "The proxy broke off. Try again.")
        default:
            (.proxy, "Check the proxy, and the user name and password in its address.")
        }
    }
}

extension NetworkError.Code {
    /// The system's OpenSSL lacks a required hash, or is missing.
    public static let digestUnavailable = Self(rawValue: "digestUnavailable")
}

extension NetworkError {
    init(_ error: DigestError) {
        self.init(code: .digestUnavailable, message: error.message, underlying: error)
    }
}

extension MessageDigest.Algorithm {
    /// The hash of some bytes.
    func networkHash(_ bytes: some Sequence<UInt8>) throws(NetworkError) -> [UInt8] {
        do throws(DigestError) { return try MessageDigest.hash(bytes, self) } catch { throw NetworkError(error) }
    }
}
