// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests carry what only a benchmark needs.
let package = Package(
    name: "audio-client",
    dependencies: [.package(path: "../../../Packages/AudioKitLinux")],
    targets: [
        .executableTarget(
            name: "audio-client", dependencies: [.product(name: "AudioKitLinux", package: "AudioKitLinux")],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
