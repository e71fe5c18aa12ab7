import Glibc

extension CryptoLane {
    /// The number of cores that are online.
    package static var defaultWidth: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
