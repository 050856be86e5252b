// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests carry what only a benchmark needs.
let package = Package(
    name: "evaluation-client",
    dependencies: [.package(path: "../../../Packages/AudioKitLinux"), .package(path: "../../../Packages/Speech")],
    targets: [
        .executableTarget(
            name: "evaluation-client",
            dependencies: [
                .product(name: "AudioDSP", package: "AudioKitLinux"),
                .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Speech", package: "Speech"), .product(name: "SpeechEvaluation", package: "Speech"),
                .product(name: "VoiceActivity", package: "Speech"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
