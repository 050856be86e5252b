// SPDX-License-Identifier: MIT

import CCurl

extension NetworkError {
    /// What it means that a SOCKS proxy led to no connection (RFC 1928 §6): its own refusal stays as it is, while a server
    /// that it does not reach is a fault of the network.
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
