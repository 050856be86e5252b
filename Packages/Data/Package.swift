// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Data",
    products: [
        .library(name: "DataLayer", targets: ["DataLayer"])
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../AudioKitLinux"),
        .package(path: "../Auth"),
        .package(path: "../Diagnostics"),
        .package(path: "../Domain"),
        .package(path: "../DurableFiles"),
        .package(path: "../Networking"),
        .package(path: "../Persistence"),
        .package(path: "../SealedRecordings"),
        .package(path: "../Security"),
        .package(path: "../Speech"),
        .package(path: "../StateKnowledge"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .target(
            name: "DataLayer",
            dependencies: [
                .product(name: "AudioKitLinux", package: "AudioKitLinux"), .product(name: "Auth", package: "Auth"),
                .product(name: "Diagnostics", package: "Diagnostics"), .product(name: "Domain", package: "Domain"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "Persistence", package: "Persistence"), .product(name: "Security", package: "Security"),
                .product(name: "Speech", package: "Speech"), .product(name: "SpeechEvaluation", package: "Speech"),
                .product(name: "VoiceActivity", package: "Speech"),
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "DurableFiles", package: "DurableFiles"),
                .product(name: "SealedRecordings", package: "SealedRecordings"),
                .product(name: "StateKnowledge", package: "StateKnowledge"),
            ],
            swiftSettings: settings),
        .target(
            name: "DataLayerTestSupport",
            dependencies: [
                "DataLayer", .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Domain", package: "Domain"), .product(name: "DomainTestSupport", package: "Domain"),
                .product(name: "Speech", package: "Speech"),
                .product(name: "StateKnowledge", package: "StateKnowledge"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "BargeInTestSupport",
            dependencies: [
                "DataLayer", "DataLayerTestSupport", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Domain", package: "Domain"), .product(name: "Speech", package: "Speech"),
                .product(name: "VoiceActivity", package: "Speech"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "ListeningSoakTestSupport",
            dependencies: [
                "DataLayer", .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Diagnostics", package: "Diagnostics"), .product(name: "Domain", package: "Domain"),
                .product(name: "Speech", package: "Speech"), .product(name: "VoiceActivity", package: "Speech"),
                .product(name: "TestKit", package: "TestKit"), .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "StateKnowledge", package: "StateKnowledge"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DataLayerTests",
            dependencies: [
                "DataLayer", .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Auth", package: "Auth"), .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Domain", package: "Domain"), .product(name: "DomainTestSupport", package: "Domain"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "NetworkingTestSupport", package: "Networking"),
                .product(name: "Persistence", package: "Persistence"), .product(name: "Security", package: "Security"),
                .product(name: "Speech", package: "Speech"), .product(name: "VoiceActivity", package: "Speech"),
                .product(name: "TestKit", package: "TestKit"), .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "SealedRecordings", package: "SealedRecordings"),
                .product(name: "StateKnowledge", package: "StateKnowledge"),
            ],
            swiftSettings: settings),
        // Apart from the others, so that nothing else runs while it talks with itself in real time.
        .testTarget(
            name: "RoomTests",
            dependencies: [
                "DataLayer", "DataLayerTestSupport", .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Domain", package: "Domain"), .product(name: "Speech", package: "Speech"),
                .product(name: "VoiceActivity", package: "Speech"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
