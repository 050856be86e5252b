// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The loopback listener's decision about a request, and the page that the browser shows.
struct LoopbackAnswer {
    let status: Int
    /// The link, if the request is the expected one.
    let link: SignInLink?

    init(refusing status: Int) {
        self.init(status, nil)
    }

    private init(_ status: Int, _ link: SignInLink?) {
        (self.status, self.link) = (status, link)
    }

    /// - Parameters:
    ///   - port: The listener's port.
    ///   - state: The secret in the one valid request.
    ///   - server: The auth server.
    init(_ request: LoopbackRequest, port: UInt16, state: String, server: URL) {
        let origin = "127.0.0.1:\(port)"
        // Another page could reach this port under its own host name (DNS rebinding).
        if request.host != origin {
            self.init(refusing: 403)
        } else if request.target.prefix(while: { $0 != "?" }) != "/signed-in" {
            self.init(refusing: 404)
        } else if request.method != "GET" {
            self.init(refusing: 405)
        } else if let link = try? SignInLink("http://\(origin)\(request.target)", server: server) {
            let isRight = link.belongs(to: state)
            self.init(isRight ? 200 : 403, isRight ? link : nil)
        } else {
            self.init(refusing: 400)
        }
    }

    /// The whole answer. The page loads no resource and runs no script.
    var bytes: [UInt8] {
        let text =
            switch (status, link?.proof) {
            case (200, .refused): "The link did not work. Go back to the program; it says what to do."
            case (200, _): "Go back to the program; it finishes the sign-in. This page can be closed."
            default: "This is not the link that the program waits for."
            }
        let page = """
            <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Parley</title>\
            <style>body{font:1.25em sans-serif;margin:20vh auto;max-width:30em;text-align:center}</style>\
            <p>\(text)</p></html>
            """
        let reasons = [
            200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
            431: "Request Header Fields Too Large",
        ]
        let header = """
            HTTP/1.1 \(status) \(reasons[status] ?? "Error")\r
            Content-Type: text/html; charset=utf-8\r
            Content-Length: \(page.utf8.count)\r
            Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r
            Cache-Control: no-store\r
            Referrer-Policy: no-referrer\r
            X-Content-Type-Options: nosniff\r
            Connection: close\r
            \(status == 405 ? "Allow: GET\r\n" : "")\r\n
            """
        return Array(header.utf8) + Array(page.utf8)
    }
}
