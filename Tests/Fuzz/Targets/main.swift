import CLibFuzzer
import Glibc

// The target's name stands in the environment, because the arguments are libFuzzer's.
guard let target = Target.chosen else {
    print(Target.all.map(\.name).joined(separator: "\n"))
    exit(2)
}
_ = target.seeds
var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
    LLVMFuzzerRunDriver(&count, &arguments) { data, count in
        Target.chosen?.run(Array(UnsafeBufferPointer(start: data, count: count)))
        return 0
    }
)
