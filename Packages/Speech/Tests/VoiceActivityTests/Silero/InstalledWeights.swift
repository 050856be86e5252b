// SPDX-License-Identifier: MIT
import VoiceActivity

/// The weights, read once for all tests: from where they are installed, or from `.build-models` of the repository.
enum InstalledWeights {
    private static let root = #filePath.components(upTo: "/Packages/")

    static let shared: SileroWeights? = try? SileroWeights(
        searching: SileroWeights.folders(environment: SileroWeights.currentEnvironment()) + [root + "/.build-models"])

    /// Said beside each test that cannot run.
    static let advice = "the weights are not installed: run Scripts/fetch-weights"
}

extension String {
    fileprivate func components(upTo part: String) -> String {
        ranges(of: part).last.map { String(self[..<$0.lowerBound]) } ?? self
    }
}
