// SPDX-License-Identifier: MIT

import Testing

/// A known answer of AES-256-GCM with a 96-bit nonce and a 128-bit tag; all in hexadecimal. A vector without a message must
/// fail to open.
struct GCMVector: Sendable, CustomTestStringConvertible {
    let name: String
    let key: String
    let nonce: String
    let context: String
    let message: String?
    let ciphertext: String
    let tag: String

    var testDescription: String { name }

    /// A selection of NIST's CAVP files gcmEncryptExtIV256.rsp and gcmDecrypt256.rsp, and of "The Galois/Counter Mode of
    /// Operation" by McGrew and Viega, appendix B.
    static let table = [
        GCMVector(
            name: "CAVP gcmEncryptExtIV256, PTlen 0, AADlen 0",
            key: "b52c505a37d78eda5dd34f20c22540ea1b58963cf8e5bf8ffa85f9f2492505b4",
            nonce: "516c33929df5a3284ff463d7",
            context: "",
            message: "",
            ciphertext: "",
            tag: "bdc1ac884d332457a1d2664f168c76f0"),
        GCMVector(
            name: "CAVP gcmEncryptExtIV256, PTlen 0, AADlen 128",
            key: "78dc4e0aaf52d935c3c01eea57428f00ca1fd475f5da86a49c8dd73d68c8e223",
            nonce: "d79cf22d504cc793c3fb6c8a",
            context: "b96baa8c1c75a671bfb2d08d06be5f36",
            message: "",
            ciphertext: "",
            tag: "3e5d486aa2e30b22e040b85723a06e76"),
        GCMVector(
            name: "CAVP gcmEncryptExtIV256, PTlen 0, AADlen 160",
            key: "886cff5f3e6b8d0e1ad0a38fcdb26de97e8acbe79f6bed66959a598fa5047d65",
            nonce: "3a8efa1cd74bbab5448f9945",
            context: "519fee519d25c7a304d6c6aa1897ee1eb8c59655",
            message: "",
            ciphertext: "",
            tag: "f6d47505ec96c98a42dc3ae719877b87"),
        GCMVector(
            name: "CAVP gcmEncryptExtIV256, PTlen 0, AADlen 384",
            key: "f4069bb739d07d0cafdcbc609ca01597f985c43db63bbaaa0debbb04d384e49c",
            nonce: "d25ff30fdc3d464fe173e805",
            context: "3e1449c4837f0892f9d55127c75c4b25d69be334baf5f19394d2d8bb460cbf2120e14736d0f634aa792feca2"
                + "0e455f11",
            message: "",
            ciphertext: "",
            tag: "805ec2931c2181e5bfb74fa0a975f0cf"),
        GCMVector(
            name: "CAVP gcmEncryptExtIV256, PTlen 128, AADlen 0",
            key: "31bdadd96698c204aa9ce1448ea94ae1fb4a9a0b3c9d773b51bb1822666b8f22",
            nonce: "0d18e06c7c725ac9e362e1ce",
            context: "",
            message: "2db5168e932556f8089a0622981d017d",
            ciphertext: "fa4362189661d163fcd6a56d8bf0405a",
            tag: "d636ac1bbedd5cc3ee727dc2ab4a9489"),
        GCMVector(
            name: "CAVP gcmEncryptExtIV256, PTlen 104, AADlen 0",
            key: "e5a0eb92cc2b064e1bc80891faf1fab5e9a17a9c3a984e25416720e30e6c2b21",
            nonce: "4742357c335913153ff0eb0f",
            context: "",
            message: "8499893e16b0ba8b007d54665a",
            ciphertext: "eb8e6175f1fe38eb1acf95fd51",
            tag: "88a8b74bb74fda553e91020a23deed45"),
        GCMVector(
            name: "CAVP gcmEncryptExtIV256, PTlen 256, AADlen 0",
            key: "37f39137416bafde6f75022a7a527cc593b6000a83ff51ec04871a0ff5360e4e",
            nonce: "a291484c3de8bec6b47f525f",
            context: "",
            message: "fafd94cede8b5a0730394bec68a8e77dba288d6ccaa8e1563a81d6e7ccc7fc97",
            ciphertext: "44dc868006b21d49284016565ffb3979cc4271d967628bf7cdaf86db888e92e5",
            tag: "01a2b578aa2f41ec6379a44a31cc019c"),
        GCMVector(
            name: "CAVP gcmEncryptExtIV256, PTlen 256, AADlen 720",
            key: "1c1dcfd4c4cc4beb71d6e368f739d8e681dfe48fbae39728386c9dfc08825743",
            nonce: "0deceb69ce0dc776a3a71b4c",
            context: "a3af2db672292431fa8ee1fa5b197593b13e58a68c4129401d0942474d5f4cbe62093aaa5453f6d355d2f4b6"
                + "dc8abde58ce863d1be5f9ecf39730a49565b3b6882a0a641c0b5d156a4107309dd150fd1f1634ea4e5100b3d"
                + "4f88",
            message: "b12700258ace7b16e40f4e86886892837168b256a170937a3b89063a9a0d68f7",
            ciphertext: "3ea7f1c0d613323e095558ddde53247420fa0eef17997a1e9c5ba93d5f24c46f",
            tag: "70534a87c258905d35806f4439f6906e"),
        GCMVector(
            name: "CAVP gcmEncryptExtIV256, PTlen 408, AADlen 0",
            key: "595f259c55abe00ae07535ca5d9b09d6efb9f7e9abb64605c337acbd6b14fc7e",
            nonce: "92f258071d79af3e63672285",
            context: "",
            message: "a6fee33eb110a2d769bbc52b0f36969c287874f665681477a25fc4c48015c541fbe2394133ba490a34ee2dd6"
                + "7b898177849a91",
            ciphertext: "bbca4a9e09ae9690c0f6f8d405e53dccd666aa9c5fa13c8758bc30abe1ddd1bcce0d36a1eaaaaffef20cd3c5"
                + "970b9673f8a65c",
            tag: "26ccecb9976fd6ac9c2c0f372c52c821"),
        GCMVector(
            name: "CAVP gcmEncryptExtIV256, PTlen 408, AADlen 128",
            key: "5fe01c4baf01cbe07796d5aaef6ec1f45193a98a223594ae4f0ef4952e82e330",
            nonce: "bd587321566c7f1a5dd8652d",
            context: "9013617817dda947e135ee6dd3653382",
            message: "881dc6c7a5d4509f3c4bd2daab08f165ddc204489aa8134562a4eac3d0bcad7965847b102733bb63d1e5c598"
                + "ece0c3e5dadddd",
            ciphertext: "16e375b4973b339d3f746c1c5a568bc7526e909ddff1e19c95c94a6ccff210c9a4a40679de5760c396ac0e2c"
                + "eb1234f9f5fe26",
            tag: "abd3d26d65a6275f7a4f56b422acab49"),
        GCMVector(
            name: "CAVP gcmEncryptExtIV256, PTlen 408, AADlen 160",
            key: "24501ad384e473963d476edcfe08205237acfd49b5b8f33857f8114e863fec7f",
            nonce: "9ff18563b978ec281b3f2794",
            context: "adb5ec720ccf9898500028bf34afccbcaca126ef",
            message: "27f348f9cdc0c5bd5e66b1ccb63ad920ff2219d14e8d631b3872265cf117ee86757accb158bd9abb3868fdc0"
                + "d0b074b5f01b2c",
            ciphertext: "eb7cb754c824e8d96f7c6d9b76c7d26fb874ffbf1d65c6f64a698d839b0b06145dae82057ad55994cf59ad7f"
                + "67c0fa5e85fab8",
            tag: "bc95c532fecc594c36d1550286a7a3f0"),
        GCMVector(
            name: "CAVP gcmDecrypt256, PTlen 408, AADlen 720",
            key: "5f72046245d3f4a0877e50a86554bfd57d1c5e073d1ed3b5451f6d0fc2a8507a",
            nonce: "ea6f5b391e44b751b26bce6f",
            context: "9b3a68c941d42744673fb60fea49075eae77322e7e70e34502c115b6495ebfc796d6290807653c6b53cd8428"
                + "1bd0311656d0013f44619d2748177e99e8f8347c989a7b59f9d8dcf00f31db0684a4a83e037e8777bae55f79"
                + "9b0d",
            message: "b0a881b751cc1eb0c912a4cf9bd971983707dbd2411725664503455c55db25cdb19bc669c2654a3a8011de6b"
                + "f7eff3f9f07834",
            ciphertext: "0e6e0b2114c40769c15958d965a14dcf50b680e0185a4409d77d894ca15b1e698dd83b3536b18c05d8cd0873"
                + "d1edce8150ecb5",
            tag: "fdaaff86ceb937502cd9012d03585800"),
        GCMVector(
            name: "CAVP gcmDecrypt256, PTlen 408, AADlen 720, FAIL",
            key: "8b4cd036ab848cd9282ffcece03d07b8e0f30fb6e764027c2b71b91993634080",
            nonce: "6692d85a6870b4831bfa91e0",
            context: "3d0a3a942eeb173e44485dbea8af21044c6657fcad9d2cc0520580416a2034d4a42d940c013ff168247daddd"
                + "fcd3f6b5ee89cca56cfe23c0f3a429d94f9744d9c44028b8bf1a09584374a322f87857d3c81a5f8c0a61131f"
                + "7eef",
            message: nil,
            ciphertext: "505adce883a61237d4fa51fa2824fa227cfaa9009903b7c78eefa73a441a7bf451d2911cba02538f1d5c28bd"
                + "04ad65dcf9917a",
            tag: "adba2b8d80a56441ea4c8d5a428d5bd0"),
        GCMVector(
            name: "CAVP gcmDecrypt256, PTlen 408, AADlen 720, FAIL",
            key: "407b45f9880614541270a55344d019e48ad9d9e4b9e3d350008d44dd53200206",
            nonce: "4a81d98c048e30984871fa10",
            context: "fa91369e889e90f3bc91b7f019f899d2a8ce2c29c801da9f97930f11b72c0de5f5fbe7362108b3745de4620c"
                + "c5e8e268e44beaab88be2361193dfef3d3f657adcd9a7fb54f119c3841d2719be0a8314ced34b8ffaf7ea606"
                + "1771",
            message: nil,
            ciphertext: "fa90830a4a940256b7979b7a2b2e3661957f0d536c307afa3f51a67c706c20e413379cef143ef14f7622c8fe"
                + "6be6e68e42bbbc",
            tag: "333796b24bed0ce2274b3e8a9ffacbb8"),
        GCMVector(
            name: "GCM specification, test case 13",
            key: "0000000000000000000000000000000000000000000000000000000000000000",
            nonce: "000000000000000000000000",
            context: "",
            message: "",
            ciphertext: "",
            tag: "530f8afbc74536b9a963b4f1c4cb738b"),
        GCMVector(
            name: "GCM specification, test case 14",
            key: "0000000000000000000000000000000000000000000000000000000000000000",
            nonce: "000000000000000000000000",
            context: "",
            message: "00000000000000000000000000000000",
            ciphertext: "cea7403d4d606b6e074ec5d3baf39d18",
            tag: "d0d1c8a799996bf0265b98b5d48ab919"),
        GCMVector(
            name: "GCM specification, test case 16",
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            context: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            message: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e24"
                + "49a6b525b16aedf5aa0de657ba637b39",
            ciphertext: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b10"
                + "56828838c5f61e6393ba7a0abcc9f662",
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]
}
