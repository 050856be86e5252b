// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests carry what only a benchmark needs.
let package = Package(
    name: "vad-client",
    dependencies: [.package(path: "../../../Packages/Speech")],
    targets: [
        .executableTarget(
            name: "vad-client", dependencies: [.product(name: "VoiceActivity", package: "Speech")],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
