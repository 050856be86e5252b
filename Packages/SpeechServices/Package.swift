// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "SpeechServices",
    products: [
        .library(name: "SpeechServices", targets: ["SpeechServices"]),
        .library(name: "SpeechServicesTestSupport", targets: ["SpeechServicesTestSupport"]),
        .library(name: "WyomingServer", targets: ["WyomingServer"]),
    ],
    dependencies: [
        .package(path: "../AudioKitLinux"),
        .package(path: "../Concurrency"),
        .package(path: "../Diagnostics"),
        .package(path: "../HTTPServer"),
        .package(path: "../Networking"),
        .package(path: "../Speech"),
        .package(path: "../StructuredJSON"),
        .package(path: "../TestKit"),
    ],
    targets: [
        // No sound library: what a service says is passed on as values.
        .target(
            name: "SpeechServices",
            dependencies: [
                .product(name: "AudioBuffers", package: "AudioKitLinux"),
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "SpeechEngines", package: "Speech"),
                .product(name: "StructuredJSON", package: "StructuredJSON"),
            ],
            swiftSettings: settings),
        // No engine, no converter: both are passed in.
        .target(
            name: "WyomingServer",
            dependencies: [
                "SpeechServices", .product(name: "AudioBuffers", package: "AudioKitLinux"),
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "SpeechEngines", package: "Speech"),
                .product(name: "StructuredJSON", package: "StructuredJSON"),
            ],
            swiftSettings: settings),
        .target(
            name: "SpeechServicesTestSupport",
            dependencies: [
                "SpeechServices", .product(name: "AudioBuffers", package: "AudioKitLinux"),
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "HTTPServer", package: "HTTPServer"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "SpeechEngines", package: "Speech"),
                .product(name: "StructuredJSON", package: "StructuredJSON"),
                .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SpeechServicesTests",
            dependencies: [
                "SpeechServices", "SpeechServicesTestSupport", "WyomingServer",
                .product(name: "AudioBuffers", package: "AudioKitLinux"),
                // The server's sound in other rates.
                .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "NetworkingTestSupport", package: "Networking"),
                // The engines of this machine keep the same promises.
                .product(name: "Speech", package: "Speech"),
                .product(name: "SpeechEngines", package: "Speech"),
                .product(name: "StructuredJSON", package: "StructuredJSON"),
                .product(name: "TestKit", package: "TestKit"),
            ],
            exclude: ["Fixtures"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
