// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests ever link what a benchmark compares with.
let package = Package(
    name: "security-client",
    dependencies: [.package(path: "../../../Packages/Security")],
    targets: [
        .target(
            name: "CBaseline", cSettings: [.unsafeFlags(["-O2"])], linkerSettings: [.linkedLibrary("crypto")]),
        .executableTarget(
            name: "security-client",
            dependencies: ["CBaseline", .product(name: "Security", package: "Security")],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)
