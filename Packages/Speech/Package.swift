// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Speech",
    products: [
        .library(name: "Speech", targets: ["Speech"]),
        .library(name: "SpeechEngines", targets: ["SpeechEngines"]),
        .library(name: "SpeechEvaluation", targets: ["SpeechEvaluation"]),
        .library(name: "VoiceActivity", targets: ["VoiceActivity"]),
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../AudioKitLinux"),
        .package(path: "../Diagnostics"),
        .package(path: "../LazyLibraries"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .systemLibrary(name: "CPocketSphinx", providers: [.apt(["libpocketsphinx-dev"])]),
        .systemLibrary(name: "CFlite", providers: [.apt(["flite1-dev"])]),
        .target(
            name: "CSpeechCalls", dependencies: [.product(name: "CLazyLibrary", package: "LazyLibraries")],
            swiftSettings: settings),
        .target(
            name: "VoiceActivity", dependencies: [.product(name: "AudioDSP", package: "AudioKitLinux")],
            swiftSettings: settings),
        .testTarget(
            name: "VoiceActivityTests",
            dependencies: [
                "VoiceActivity", .product(name: "AudioDSP", package: "AudioKitLinux"),
                .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
        .target(
            name: "SpeechEngines",
            dependencies: [
                .product(name: "AudioBuffers", package: "AudioKitLinux"),
                .product(name: "AudioDSP", package: "AudioKitLinux"),
            ],
            swiftSettings: settings),
        .testTarget(name: "SpeechEnginesTests", dependencies: ["SpeechEngines"], swiftSettings: settings),
        .target(
            name: "Speech",
            dependencies: [
                "CPocketSphinx", "CFlite", "CSpeechCalls", "SpeechEngines", "VoiceActivity",
                .product(name: "AudioDSP", package: "AudioKitLinux"),
                .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SpeechTests",
            dependencies: [
                "Speech", "SpeechEngines", .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
        .target(
            name: "SpeechEvaluation",
            dependencies: [
                "Speech", "VoiceActivity", .product(name: "AudioDSP", package: "AudioKitLinux"),
                .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SpeechEvaluationTests",
            dependencies: [
                "SpeechEvaluation", "Speech", .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
