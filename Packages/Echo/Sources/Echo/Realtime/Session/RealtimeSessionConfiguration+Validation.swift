// SPDX-License-Identifier: MIT

extension RealtimeSessionConfiguration {
    /// Refuses what the API would refuse, before anything is sent.
    ///
    /// - Throws: `EchoError.invalidConfiguration(_:)`, or `EchoError.unsupportedModel(_:)` for the model that
    ///   transcribes.
    func validate(for endpoint: EchoEndpoint) throws(EchoError) {
        if let transcription { try endpoint.validate(transcription.model) }
        if case .automatic(let detection) = turnDetection { try detection.validate() }
        if let speed, !(0.25...1.5).contains(speed) {
            throw .invalidConfiguration("The speed \(speed) is not from 0.25 to 1.5.")
        }
        if let maximumOutputTokens, !(1...4_096).contains(maximumOutputTokens) {
            throw .invalidConfiguration("An answer of \(maximumOutputTokens) tokens is not from 1 to 4096.")
        }
        try validateTools()
    }

    private func validateTools() throws(EchoError) {
        var names: Set<String> = []
        for case .function(let name, _, _, _) in tools {
            guard !name.isEmpty, names.insert(name).inserted else {
                throw .invalidConfiguration("A function has no name, or the name \(name) is there twice.")
            }
        }
    }
}

extension VADConfiguration {
    func validate() throws(EchoError) {
        guard detector == .loudness else {
            if idleTimeout != nil {
                throw .invalidConfiguration("The semantic detector has no idle time-out. Use the one by loudness.")
            }
            return
        }
        guard (0...1).contains(threshold) else {
            throw .invalidConfiguration("The threshold \(threshold) is not from 0 to 1.")
        }
        guard silenceDuration >= .zero, prefixPadding >= .zero else {
            throw .invalidConfiguration("Durations of silence and padding cannot be negative.")
        }
        if let idleTimeout, !(.seconds(5)...(.seconds(30))).contains(idleTimeout) {
            throw .invalidConfiguration("The idle time-out \(idleTimeout) is not from 5 to 30 seconds.")
        }
    }
}
