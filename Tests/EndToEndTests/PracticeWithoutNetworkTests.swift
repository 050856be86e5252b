// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import TestKit
import Testing

/// Practising at a server that the network takes away in the middle of each exchange that there is.
@Suite(.timeLimit(.minutes(5))) struct PracticeWithoutNetworkTests {
    /// Where the network goes.
    enum Step: String, CaseIterable, CustomTestStringConvertible {
        case beforeAnything
        case lookingForTheRecording
        case askingForAPlace
        case withAPlace
        case inTheMiddleOfTheSound
        case withAllOfTheSound
        case askingForTheEvaluation
        case whileItIsEvaluated
        case sendingTheResult
        case withTheResult

        var testDescription: String { rawValue }

        var isOfTheEvaluation: Bool { [.askingForTheEvaluation, .whileItIsEvaluated].contains(self) }

        /// `nil` when it is away from the beginning.
        var trigger: (method: String, path: String, moment: NetworkCut.Moment)? {
            switch self {
            case .beforeAnything: nil
            case .lookingForTheRecording: ("GET", "/recordings/", .beforeRequest)
            case .askingForAPlace: ("POST", "/uploads", .beforeRequest)
            case .withAPlace: ("POST", "/uploads", .beforeAnswer)
            case .inTheMiddleOfTheSound: ("PATCH", "/uploads/", .inRequest(20_000))
            case .withAllOfTheSound: ("PATCH", "/uploads/", .beforeAnswer)
            case .askingForTheEvaluation: ("GET", "/evaluation/events", .beforeRequest)
            case .whileItIsEvaluated: ("GET", "/evaluation/events", .inAnswer(250))
            case .sendingTheResult: ("PUT", "/practice/", .beforeRequest)
            case .withTheResult: ("PUT", "/practice/", .beforeAnswer)
            }
        }
    }

    private let fixture: SignInFixture
    private let network: NetworkCut

    init() throws {
        fixture = try SignInFixture()
        network = try NetworkCut(before: fixture.server.port)
    }

    private var environment: [String: String] {
        ["PARLEY_SERVER": "http://127.0.0.1:\(network.port)", "PARLEY_FLAGS": fixture.parley.path("flags.json")]
    }

    private func run(_ arguments: String...) async throws -> ParleyProcess.Result {
        try await fixture.parley.start(arguments, environment: environment).finished()
    }

    /// - Parameter patience: How many seconds the server's evaluation is waited for.
    private func signIn(patience: Int) async throws {
        let flags = #"{"evaluationTimeLimit": \#(patience)}"#
        try Data(flags.utf8).write(to: URL(filePath: fixture.parley.path("flags.json")))
        try #require(try await run("sign-in", SignInFixture.email, "--no-wait").code == 0)
        try #require(try await run("verify", fixture.server.mail().code).code == 0)
        try #require(try await run("consent", "give").code == 0)
    }

    @Test(arguments: Step.allCases) func whatIsKeptWithoutANetworkWaitsForIt(_ step: Step) async throws {
        // Whoever is cut off while the server listens asks again and again until then. Others wait for a busy machine.
        try await signIn(patience: step.isOfTheEvaluation ? 2 : 200)
        if let trigger = step.trigger {
            network.arm(.init(trigger.method, trigger.path, trigger.moment))
        } else {
            network.cut()
        }
        // This device's word comes at once, whatever the server does.
        let text = try await fixture.practise(environment: environment)
        #expect(network.cutCount == (step.trigger == nil ? 0 : 1), "\(text)")
        #expect(try await run("progress", "--list", "--json").events.count == 1)
        #expect(try await !run("uploads", "list", "--json").events.isEmpty, "\(text)")

        network.restore()
        let sent = try await run("uploads", "send")
        #expect(sent.code == 0 && sent.output.contains("Everything is sent."), "\(sent.output)\(sent.errors)")
        try await expectAllOfItOnce()
    }

    @Test(arguments: Step.allCases.filter { $0.trigger != nil })
    func connectionsThatBreakAreMadeAgain(_ step: Step) async throws {
        try await signIn(patience: 200)
        let trigger = try #require(step.trigger)
        network.arm(.init(trigger.method, trigger.path, trigger.moment, isLasting: false))
        let text = try await fixture.practise(environment: environment)
        #expect(network.cutCount == 1 && text.contains("The server says:"), "\(text)")
        #expect(try await run("uploads", "list", "--json").events.isEmpty, "\(text)")
        try await expectAllOfItOnce()
    }

    /// The service notices by itself that the network is back, with the sound half sent.
    @Test func theServiceGoesOnWhenTheNetworkIsBack() async throws {
        try await signIn(patience: 1)
        network.cut()
        try await fixture.practise(environment: environment)
        network.restore()
        network.arm(.init("PATCH", "/uploads/", .inRequest(20_000)))
        let service = try fixture.parley.start(["service", "--json"], environment: environment)
        // Until then one of the service's own repetitions may find the network back, and nothing has to wait.
        let beginning = await service.detached { $0.text(until: "postponed") }
        #expect(network.cutCount == 1 && beginning.contains("postponed"), "\(beginning)")
        #expect(try await run("uploads", "list", "--json").events.count == 2)
        network.restore()
        try await eventually { try await run("uploads", "list", "--json").events.isEmpty }
        service.kill(SIGINT)
        let ended = await service.finished()
        #expect(ended.code == 130, "\(ended)")
        try await expectAllOfItOnce()
    }

    @Test(arguments: [NetworkCut.Moment.beforeRequest, .beforeAnswer])
    func askingForAMailWithoutANetwork(_ moment: NetworkCut.Moment) async throws {
        network.arm(.init("POST", "/otp", moment))
        let asked = try await run("sign-in", SignInFixture.email, "--no-wait")
        #expect(asked.code == 5 && asked.errors.contains("cannot be reached"), "\(asked)")
        network.restore()
        // A mail that was sent is good, though nobody was told so.
        if moment == .beforeRequest {
            #expect(try await run("sign-in", SignInFixture.email, "--no-wait").code == 0)
        }
        let verified = try await run("verify", fixture.server.mail().code)
        #expect(verified.code == 0, "\(verified)")
    }

    @Test(arguments: [NetworkCut.Moment.beforeRequest, .beforeAnswer])
    func showingTheCodeWithoutANetwork(_ moment: NetworkCut.Moment) async throws {
        try #require(try await run("sign-in", SignInFixture.email, "--no-wait").code == 0)
        network.arm(.init("POST", "/verify", moment))
        let code = try await fixture.server.mail().code
        #expect(try await run("verify", code).code == 5)
        network.restore()
        let again = try await run("verify", code)
        if moment == .beforeRequest {
            #expect(again.code == 0, "\(again)")
        } else {
            // A code is good once, also for whoever did not get the answer.
            #expect(again.code == 3 && again.errors.contains("Ask for another"), "\(again)")
        }
    }

    private func expectAllOfItOnce() async throws {
        let archive = fixture.parley.path("all.tar")
        let exported = try await run("data", "export", archive, "--overwrite")
        #expect(exported.code == 0, "\(exported.errors)")
        let holdings = try Holdings(archive)
        #expect(holdings.faults.isEmpty, "\(holdings.faults)")
        #expect(holdings.server.results.count == 1 && holdings.server.recordings.count == 1)
    }
}
