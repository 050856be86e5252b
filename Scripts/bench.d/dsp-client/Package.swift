// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests ever link what a benchmark compares with: FFTW is GPL.
let package = Package(
    name: "dsp-client",
    dependencies: [.package(path: "../../../Packages/AudioKitLinux")],
    targets: [
        .target(
            name: "CField", cSettings: [.unsafeFlags(["-O2"])],
            linkerSettings: [
                .linkedLibrary("fftw3f"), .linkedLibrary("sndfile"),
            ]),
        .executableTarget(
            name: "dsp-client", dependencies: ["CField", .product(name: "AudioDSP", package: "AudioKitLinux")],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)
