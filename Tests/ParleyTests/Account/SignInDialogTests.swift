// SPDX-License-Identifier: MIT

import Auth
import Domain
import FoundationEssentials
import Testing

@testable import parley

@Suite struct SignInDialogTests {
    private let server: URL

    init() throws { server = try #require(URL(string: "https://auth.example.org")) }

    private func dialog(_ way: SignInWay = .loopback, isInteractive: Bool = true) -> SignInDialog {
        SignInDialog(email: "ada@example.org", server: server, way: way, isInteractive: isInteractive)
    }

    /// What the effects are, in short.
    private func names(_ effects: [SignInDialog.Effect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .requestMail: "mail"
            case .verify(.code(let code)): "code \(code)"
            case .verify(.link): "link"
            case .say: "say"
            case .sayRefused(let error): "refused \(error.code)"
            case .end(.signedIn): "signed in"
            case .end(.left): "left"
            case .end(.failed(let error)): "failed \((error as? AuthError)?.code.rawValue ?? "otherwise")"
            }
        }
    }

    private func waiting(_ way: SignInWay = .loopback, isInteractive: Bool = true) -> SignInDialog {
        var dialog = dialog(way, isInteractive: isInteractive)
        #expect(names(dialog.handle(.mailSent(nextAfter: .seconds(60)), now: .zero)) == ["say"])
        return dialog
    }

    private func link() throws -> SignInLink {
        try SignInLink("https://auth.example.org/verify?token=abc&type=magiclink", server: server)
    }

    @Test func theCountdownRunsToZero() {
        var dialog = dialog()
        #expect(dialog.prompt(now: .zero) == "Asking for a mail ... ")
        _ = dialog.handle(.mailSent(nextAfter: .seconds(60)), now: .seconds(1))
        #expect(dialog.prompt(now: .seconds(1)) == "Code or link (another mail in 60 s): ")
        #expect(dialog.prompt(now: .milliseconds(60_001)) == "Code or link (another mail in 1 s): ")
        #expect(dialog.prompt(now: .seconds(61)) == "Code or link (Enter sends another mail): ")
        #expect(waiting(.code).prompt(now: .seconds(61)) == "Code (Enter sends another mail): ")
    }

    @Test func enterSendsAnotherMailOnlyWhenItMay() {
        var dialog = waiting()
        #expect(names(dialog.handle(.line(""), now: .seconds(59))) == ["say"])
        #expect(names(dialog.handle(.line(" "), now: .seconds(60))) == ["mail"])
        #expect(dialog.handle(.line(""), now: .seconds(60)).isEmpty, "one at a time")
        let refusal = AuthError(.tooManyMails, "", retryAfter: .seconds(300))
        #expect(names(dialog.handle(.mailRefused(refusal), now: .seconds(61))) == ["refused tooManyMails"])
        #expect(dialog.prompt(now: .seconds(61)).english.contains("another mail in 300 s"))
        #expect(names(dialog.handle(.line("123456"), now: .seconds(62))) == ["code 123456"], "the first one stays good")
    }

    @Test func theFirstMailsRefusalIsTheEnd() {
        var dialog = dialog()
        let effects = dialog.handle(.mailRefused(AuthError(.noNetwork, "")), now: .zero)
        #expect(names(effects) == ["failed noNetwork"])
    }

    @Test func whateverComesFirstWinsAndTheRestWaitsItsTurn() throws {
        var dialog = waiting()
        #expect(names(dialog.handle(.line("111111"), now: .seconds(1))) == ["code 111111"])
        #expect(dialog.prompt(now: .seconds(1)) == "Signing in ... ")
        #expect(dialog.handle(.link(try link()), now: .seconds(2)).isEmpty)
        #expect(dialog.handle(.line(""), now: .seconds(90)).isEmpty, "no new mail while a code is looked at")
        let refusal = AuthError(.wrongCode, "", attemptsLeft: 4)
        #expect(names(dialog.handle(.refused(refusal), now: .seconds(91))) == ["refused wrongCode", "link"])
        #expect(names(dialog.handle(.verified, now: .seconds(92))) == ["signed in"])
    }

    @Test func whatIsTypedBeforeTheMailIsSentWaits() {
        var dialog = dialog(isInteractive: false)
        #expect(dialog.handle(.line("123456"), now: .zero).isEmpty)
        #expect(dialog.handle(.inputEnded, now: .zero).isEmpty)
        let effects = dialog.handle(.mailSent(nextAfter: .seconds(60)), now: .seconds(1))
        #expect(names(effects) == ["say", "code 123456"])
    }

    @Test func aLinkToElsewhereIsTurnedDownHere() {
        var dialog = waiting()
        let effects = dialog.handle(.line("https://evil.example/verify?token=abc"), now: .seconds(1))
        #expect(names(effects) == ["refused invalidLink"])
        #expect(names(dialog.handle(.line("https://auth.example.org/verify?token=a"), now: .seconds(1))) == ["link"])
    }

    @Test func withoutANetworkEnterShowsTheSameProofAgain() throws {
        var dialog = waiting()
        _ = dialog.handle(.link(try link()), now: .seconds(1))
        #expect(names(dialog.handle(.refused(AuthError(.noNetwork, "")), now: .seconds(2))) == ["refused noNetwork"])
        #expect(dialog.prompt(now: .seconds(2)) == "Enter tries again: ")
        #expect(names(dialog.handle(.line(""), now: .seconds(3))) == ["link"])
        #expect(names(dialog.handle(.refused(AuthError(.expired, "")), now: .seconds(4))) == ["refused expired"])
        #expect(dialog.prompt(now: .seconds(4)).english.contains("another mail in 56 s"))
    }

    @Test(arguments: [AuthError.Code.storage, .alreadySignedIn, .noPendingSignIn])
    func whatNoOtherProofCouldMendEndsIt(_ code: AuthError.Code) {
        var dialog = waiting()
        _ = dialog.handle(.line("123456"), now: .seconds(1))
        #expect(names(dialog.handle(.refused(AuthError(code, "")), now: .seconds(2))) == ["failed \(code)"])
    }

    @Test func theEndOfInputIsAPersonsLeave() {
        var person = waiting()
        #expect(names(person.handle(.inputEnded, now: .seconds(1))) == ["left"])
        var script = waiting(isInteractive: false)
        #expect(script.handle(.inputEnded, now: .seconds(1)).isEmpty, "the link may still come back")
        #expect(script.handle(.tick, now: .seconds(899)).isEmpty)
        #expect(names(script.handle(.tick, now: .seconds(900))) == ["failed expired"])
        var codes = waiting(.code, isInteractive: false)
        #expect(names(codes.handle(.inputEnded, now: .seconds(1))) == ["failed refused"])
    }

    @Test func aScriptsLastRefusalIsWhatItHears() {
        var dialog = waiting(.code, isInteractive: false)
        _ = dialog.handle(.line("111111"), now: .seconds(1))
        #expect(dialog.handle(.inputEnded, now: .seconds(1)).isEmpty)
        let effects = dialog.handle(.refused(AuthError(.wrongCode, "")), now: .seconds(2))
        #expect(names(effects) == ["refused wrongCode", "failed wrongCode"])
    }

    @Test func aPersonMayWaitAsLongAsTheyLike() {
        var dialog = waiting()
        #expect(dialog.handle(.tick, now: .seconds(100_000)).isEmpty)
    }

    @Test func anotherParleyMayFinish() {
        var dialog = waiting(.application)
        #expect(names(dialog.handle(.finishedElsewhere, now: .seconds(5))) == ["signed in"])
    }
}
