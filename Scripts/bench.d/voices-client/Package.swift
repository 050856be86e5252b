// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "voices-client",
    dependencies: [
        .package(path: "../../../Packages/AudioKitLinux"), .package(path: "../../../Packages/TestKit"),
    ],
    targets: [
        .executableTarget(
            name: "voices-client",
            dependencies: [
                .product(name: "AudioDSP", package: "AudioKitLinux"), .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
