// SPDX-License-Identifier: MIT

import EchoSimulator

/// The command line of `parley-server simulate-openai`.
struct SimulateArguments {
    static let help = """
        usage: parley-server simulate-openai [OPTION…]

        answers as OpenAI's API does, without a model, until Ctrl-C: /v1/responses, /v1/chat/completions,
        /v1/embeddings, /v1/audio/transcriptions, /v1/models and the WebSocket /v1/realtime; prints its address once
        it listens

          --port N           the port to listen on; 0 takes a free one (default 9998)
          --host ADDRESS     the interface to listen on (default 127.0.0.1)
          --scenario FILE    expected requests, their answers and faults, in JSON (docs/simulator.md);
                             without one it answers anything plausibly
          --dialect NAME     speak as openai, llama.cpp, ollama or vllm do (default: the scenario's, else openai)
          --seed N           what identifiers are made from (default 1)
          --key KEY          the only key that is right; without it any key is
          --record FILE      append each request's method, path and body to FILE, a line of JSON each
          --listen           understand spoken questions about US states in /v1/realtime, and answer them
                             (PocketSphinx)
          --speak            speak the answers of /v1/realtime (eSpeak NG) instead of playing tones
          --realtime-seed N  let /v1/realtime go wrong at random in every way it can, the same way for the same N
          --verbose          log to standard error

        """

    var configuration = SimulatorConfiguration()
    var scenario: String?
    var dialect: Scenario.Dialect?
    var record: String?
    var listens = false
    var speaks = false
    var realtimeSeed: UInt64?
    var isVerbose = false

    /// - Throws: ``ArgumentError``.
    init(_ words: [String]) throws {
        configuration.port = 9998
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--verbose": isVerbose = true
            case "--listen": listens = true
            case "--speak": speaks = true
            default:
                guard Self.options.contains(word) else { throw ArgumentError("unknown argument: \(word)") }
                guard let value = rest.popFirst(), !value.isEmpty else {
                    throw ArgumentError("\(word) needs a value")
                }
                try set(word, value)
            }
        }
    }

    private static let options: Set<String> = [
        "--port", "--host", "--scenario", "--dialect", "--seed", "--key", "--record", "--realtime-seed",
    ]

    private mutating func set(_ word: String, _ value: String) throws {
        switch word {
        case "--port":
            guard let port = Int(value), (0...65_535).contains(port) else {
                throw ArgumentError("--port takes a number from 0 to 65535")
            }
            configuration.port = port
        case "--seed":
            guard let seed = UInt64(value) else { throw ArgumentError("--seed takes a whole number from 0") }
            configuration.seed = seed
        case "--realtime-seed":
            guard let seed = UInt64(value) else { throw ArgumentError("--realtime-seed takes a whole number from 0") }
            realtimeSeed = seed
        case "--dialect":
            guard let dialect = Scenario.Dialect(rawValue: value) else {
                let names = Scenario.Dialect.allCases.map(\.rawValue).joined(separator: ", ")
                throw ArgumentError("--dialect takes one of \(names)")
            }
            self.dialect = dialect
        case "--host": configuration.host = value
        case "--scenario": scenario = value
        case "--key": configuration.key = value
        default: record = value
        }
    }
}
