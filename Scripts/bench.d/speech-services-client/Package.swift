// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests ever link what a benchmark compares with.
let package = Package(
    name: "speech-services-client",
    dependencies: [
        .package(path: "../../../Packages/AudioKitLinux"), .package(path: "../../../Packages/Networking"),
        .package(path: "../../../Packages/Speech"), .package(path: "../../../Packages/SpeechServices"),
    ],
    targets: [
        .executableTarget(
            name: "speech-services-client",
            dependencies: [
                .product(name: "AudioBuffers", package: "AudioKitLinux"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "SpeechEngines", package: "Speech"),
                .product(name: "SpeechServices", package: "SpeechServices"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
