// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests ever build it.
let package = Package(
    name: "localization-client",
    dependencies: [.package(path: "../../../Packages/Localization")],
    targets: [
        .executableTarget(
            name: "localization-client", dependencies: [.product(name: "Localization", package: "Localization")],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
