// SPDX-License-Identifier: MIT

import AuthEndpoints
import AuthServer
import HTTPServer
import Networking

/// The pages that a browser shows for the link of a mail. Opening it changes nothing, since mail scanners open links,
/// too; only the button uses the link up.
struct SignInPages: Sendable {
    let service: AuthService
    let clients: ClientAddress
    let audit: AuditLog

    func add(to router: inout Router) {
        router.get("/verify", handler: show)
        router.post("/verify/confirm", bodyLimit: 4 << 10, handler: confirm)
    }

    private func show(_ request: ServerRequest) async throws -> ServerResponse {
        guard let token = request.query["token"], Self.isToken(token) else {
            return Self.page("This is not a sign-in link", "Copy the complete address from the mail.", status: 400)
        }
        return Self.page(
            "Sign in to Parley",
            """
            Somebody asked for this mail. If it was you, press the button; if not, close this page.
            """,
            form: #"<form method="post" action="verify/confirm"><input type="hidden" name="token" value="\#(token)">"#
                + #"<button>Sign in</button></form>"#)
    }

    private func confirm(_ request: ServerRequest) async throws -> ServerResponse {
        guard let token = try await request.body.form(upTo: 4 << 10)["token"], Self.isToken(token) else {
            return Self.page("This is not a sign-in link", "Copy the complete address from the mail.", status: 400)
        }
        do {
            let (code, redirect) = try await service.confirm(link: token, from: clients.prefix(of: request))
            guard let redirect else {
                return Self.page(
                    "Almost done", "Go back to the program and give it this code:", form: "<p><code>\(code)</code></p>")
            }
            var response = Self.page("Signed in", "You can close this page and go back to the program.", status: 303)
            response.headers["Location"] = redirect + (redirect.contains("?") ? "&" : "?") + "code=" + code
            return response
        } catch let error as AuthServerError {
            audit.refused(error, by: "link")
            // A hook's words are not the program's own.
            let advice =
                error.code == .wrongVerifier
                ? "Copy the link, and paste it into the program." : HTMLText.escaped(error.message)
            return Self.page("This link does not sign in", advice, status: error.status)
        }
    }

    /// True for a token in SecureRandom's alphabet, which needs no escape.
    private static func isToken(_ text: String) -> Bool {
        text.utf8.count == 43
            && text.unicodeScalars.allSatisfy {
                ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "-"
                    || $0 == "_"
            }
    }

    /// A page; texts and form are the program's own and need no escape.
    private static func page(_ title: String, _ text: String, form: String = "", status: Int = 200) -> ServerResponse {
        var response = ServerResponse.text(
            """
            <!doctype html>
            <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <meta name="robots" content="noindex"><title>\(title)</title>
            <style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:28rem;margin:20vh auto;padding:0 1rem}
            button{font:inherit;padding:.6rem 2rem}code{overflow-wrap:anywhere}</style>
            <h1>\(title)</h1><p>\(text)</p>\(form)</html>

            """, status: status, contentType: "text/html; charset=utf-8")
        response.headers["Cache-Control"] = "no-store"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Content-Type-Options"] = "nosniff"
        // Browsers hold a form's redirect to form-action, too.
        response.headers["Content-Security-Policy"] =
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; "
            + "form-action 'self' http://127.0.0.1:* http://[::1]:* parley: https:"
        return response
    }
}
