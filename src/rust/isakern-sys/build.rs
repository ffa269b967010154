// SPDX-License-Identifier: MIT
//! Tells where libisakern is: in the folder ISAKERN_LIB_DIR, else where pkg-config says.
use std::process::{exit, Command};

fn fail(reason: &str) -> ! {
    eprintln!("isakern-sys: {reason}\nInstall isakern, or let ISAKERN_LIB_DIR name the folder of libisakern.so.");
    exit(1)
}

fn main() {
    println!("cargo:rerun-if-env-changed=ISAKERN_LIB_DIR");
    println!("cargo:rustc-link-lib=isakern");
    if let Ok(folder) = std::env::var("ISAKERN_LIB_DIR") {
        println!("cargo:rustc-link-search=native={folder}");
        return;
    }
    match Command::new("pkg-config").args(["--libs-only-L", "isakern"]).output() {
        Ok(said) if said.status.success() => {
            for word in String::from_utf8_lossy(&said.stdout).split_whitespace() {
                println!("cargo:rustc-link-search=native={}", word.trim_start_matches("-L"));
            }
        }
        Ok(said) => fail(String::from_utf8_lossy(&said.stderr).trim_end()),
        Err(reason) => fail(&format!("there is no pkg-config ({reason})")),
    }
}
