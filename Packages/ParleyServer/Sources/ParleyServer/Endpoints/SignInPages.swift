// SPDX-License-Identifier: MIT

import AuthEndpoints
import AuthServer
import HTTPServer
import Localization
import Networking
import Persistence

/// The pages that a browser shows for the link of a mail. Opening it changes nothing, since mail scanners open links,
/// too; only the button uses the link up. A page is in the language that the browser asks for.
struct SignInPages: Sendable {
    let service: AuthService
    let clients: ClientAddress
    let languages: ServerLanguages
    let audit: AuditLog

    func add(to router: inout Router) {
        router.get("/verify", handler: show)
        router.post("/verify/confirm", bodyLimit: 4 << 10, handler: confirm)
    }

    private func show(_ request: ServerRequest) async throws -> ServerResponse {
        let translator = translator(for: request)
        guard let token = request.query["token"], Self.isToken(token) else { return Self.noLink(translator) }
        return Self.page(
            translator, tr("Sign in to Parley"),
            translator(tr("Somebody asked for this mail. If it was you, press the button; if not, close this page.")),
            form: Self.form(token, to: "verify/confirm", translator))
    }

    private func confirm(_ request: ServerRequest) async throws -> ServerResponse {
        let translator = translator(for: request)
        guard let token = try await request.body.form(upTo: 4 << 10)["token"], Self.isToken(token) else {
            return Self.noLink(translator)
        }
        do {
            let (code, redirect) = try await service.confirm(link: token, from: clients.prefix(of: request))
            guard let redirect else {
                return Self.page(
                    translator, tr("Almost done"), translator(tr("Go back to the program and give it this code:")),
                    form: "<p><code>\(code)</code></p>")
            }
            var response = Self.page(
                translator, tr("Signed in"), translator(tr("You can close this page and go back to the program.")),
                status: 303)
            response.headers["Location"] = redirect + (redirect.contains("?") ? "&" : "?") + "code=" + code
            return response
        } catch let error as AuthServerError {
            audit.refused(error, by: "link")
            return Self.page(
                translator, tr("This link does not sign in"),
                Self.advice(error).map { translator($0) } ?? error.message,
                status: error.status)
        } catch let error as DatabaseError {
            guard let problem = ServerProblem.of(error) else { throw error }
            var page = Self.page(
                translator, tr("Nobody can sign in just now"),
                translator(tr("Wait a minute, then press the button again.")),
                form: Self.form(token, to: "confirm", translator), status: problem.status)
            page.headers["Retry-After"] = problem.headers["Retry-After"]
            return page
        }
    }

    /// The button that uses a link up; `target` is relative to the page.
    private static func form(_ token: String, to target: String, _ translator: Translator) -> String {
        let button = HTMLText.escaped(translator(tr("Sign in")))
        return #"<form method="post" action="\#(target)"><input type="hidden" name="token" value="\#(token)">"#
            + "<button>\(button)</button></form>"
    }

    private func translator(for request: ServerRequest) -> Translator {
        languages.translator(acceptLanguage: request.headers["Accept-Language"])
    }

    private static func noLink(_ translator: Translator) -> ServerResponse {
        page(
            translator, tr("This is not a sign-in link"), translator(tr("Copy the complete address from the mail.")),
            status: 400)
    }

    /// The page's words for a refusal; nil for a hook's own words, which have no translation.
    private static func advice(_ error: AuthServerError) -> TranslatableText? {
        switch error.code {
        case .proofRefused where error.staleness == .used:
            tr("This mail was used already. If it was not you, sign out everywhere; else ask for a new mail.")
        case .proofRefused where error.staleness == .expired: tr("This mail is too old. Ask for a new one.")
        case .proofRefused: tr("The link is wrong or expired. Check the newest mail, or ask for one.")
        case .wrongVerifier: tr("Copy the link, and paste it into the program.")
        case .userBanned: tr("The server's operator has blocked this account. Ask the operator.")
        case .tooManyRequests: tr("Too many tries came from this network. Wait, then try again.")
        case .hookAway: tr("New accounts cannot be made just now. Try again in a minute.")
        default: nil
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

    /// A page; the form is HTML, and the texts are escaped.
    private static func page(
        _ translator: Translator, _ title: TranslatableText, _ text: String, form: String = "", status: Int = 200
    ) -> ServerResponse {
        let (title, text) = (HTMLText.escaped(translator(title)), HTMLText.escaped(text))
        let language = translator.language
        var response = ServerResponse.text(
            """
            <!doctype html>
            <html lang="\(language)" dir="\(language.isRightToLeft ? "rtl" : "ltr")"><meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta name="robots" content="noindex"><title>\(title)</title>
            <style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:28rem;margin:20vh auto;padding:0 1rem}
            button{font:inherit;padding:.6rem 2rem}code{overflow-wrap:anywhere;direction:ltr;unicode-bidi:isolate}</style>
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
