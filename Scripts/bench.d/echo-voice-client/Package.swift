// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests carry what only a benchmark needs.
let package = Package(
    name: "echo-voice-client",
    dependencies: [
        .package(path: "../../../Packages/AudioKitLinux"), .package(path: "../../../Packages/Concurrency"),
        .package(path: "../../../Packages/Diagnostics"),
        .package(path: "../../../Packages/Echo"),
        .package(path: "../../../Packages/EchoSimulator"),
    ],
    targets: [
        .target(name: "CAllocations"),
        .executableTarget(
            name: "echo-voice-client",
            dependencies: [
                "CAllocations",
                .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"), .product(name: "Echo", package: "Echo"),
                .product(name: "EchoSimulator", package: "EchoSimulator"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)
