// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests carry what only a benchmark needs.
let package = Package(
    name: "wake-client",
    dependencies: [
        .package(path: "../../../Packages/AudioKitLinux"), .package(path: "../../../Packages/Diagnostics"),
        .package(path: "../../../Packages/Speech"),
    ],
    targets: [
        .executableTarget(
            name: "wake-client",
            dependencies: [
                .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Diagnostics", package: "Diagnostics"), .product(name: "Speech", package: "Speech"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
