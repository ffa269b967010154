% SPDX-License-Identifier: MIT
% Octave's own tests of linear algebra. For each file: tests that passed, that Octave marks as known bugs and that failed as such
% (some of them by a few units of rounding), and that failed otherwise.
tests = fullfile (OCTAVE_HOME (), "share", "octave", version (), "etc", "tests");
files = glob (fullfile (OCTAVE_HOME (), "share", "octave", version (), "m", "linear-algebra", "*.m"));
for name = {"__eigs__", "chol", "det", "dot", "eig", "givens", "gsvd", "hess", "inv", "kron", "lu", "matrix_type", "mgorth", ...
            "ordqz", "ordschur", "pinv", "qr", "qz", "rcond", "schur", "sqrtm", "svd", "sylvester"}
	files{end + 1} = fullfile (tests, "libinterp", "corefcn", [name{1}, ".cc-tst"]);
endfor
for name = {"diag-perm", "leftdiv", "transpose"}
	files{end + 1} = fullfile (tests, "fixed", [name{1}, ".tst"]);
endfor
files = [files; glob(fullfile (tests, "liboctave", "array", "*Matrix.cc-tst"))];
log = fopen ("/dev/null", "w");
for i = 1:numel (files)
	[passed, all, ~, bugs] = test (files{i}, "quiet", log);
	[~, name] = fileparts (files{i});
	printf ("%s %d passed, %d known, %d failed\n", name, passed, bugs, all - passed - bugs);
endfor
