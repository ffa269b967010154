# SPDX-License-Identifier: MIT
# nix-build packaging
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "isakern";
  version = "0.1.0";
  src = pkgs.lib.cleanSource ../.;

  outputs = [ "out" "dev" "man" ];

  nativeBuildInputs = with pkgs; [ meson ninja pkg-config python3 ];
  buildInputs = with pkgs; [ cjson elfutils sleef ];

  mesonFlags = [
    "-Dtools=enabled"
    "-Dtests=disabled"
    "-Dexamples=disabled"
    "-Dbenchmarks=disabled"
    "-Dpython=disabled"
    "-Dnode=disabled"
    "-Drust=disabled"
  ];

  meta = {
    description = "Numerical kernels that bind themselves to the CPU";
    license = pkgs.lib.licenses.mit;
    platforms = [ "x86_64-linux" "aarch64-linux" ];
    mainProgram = "isakern";
  };
}
