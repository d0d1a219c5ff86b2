//! Arguments in, exit code out.

fn main() -> std::process::ExitCode {
    recipelint::cli::main()
}
