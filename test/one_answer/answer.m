% SPDX-License-Identifier: MIT
% Products and decompositions by Octave, as in answer.py.
1;

function x = integers (count)
	persistent drawn = 100000;
	i = drawn + (0:count - 1)';
	drawn += count;
	x = mod (mod (i .* i, 2147483647) .* i, 2147483647) - 1073741824;
endfunction

function a = matrix (rows, cols, type)
	is_complex = any (type == "cz");
	drawn = integers (rows * cols * (1 + is_complex));
	if (any (type == "sc"))
		elements = single (floor (drawn / 128) * 2^-23);
	else
		elements = drawn * 2^-30;
	endif
	if (is_complex)
		elements = complex (elements(1:2:end), elements(2:2:end));
	endif
	a = reshape (elements, cols, rows).';
endfunction

function show (name, varargin)
	bytes = [];
	for i = 1:numel (varargin)
		rows = (varargin{i}.')(:);
		if (iscomplex (rows))
			rows = ([real(rows), imag(rows)].')(:);
		endif
		bytes = [bytes; typecast(rows, "uint8")(:)];
	endfor
	printf ("%-26s %s\n", name, hash ("md5", char (bytes')));
endfunction

function products (name, type)
	shapes = [67, 129, 35; 130, 3, 61; 31, 300, 7; 151, 190, 170];
	for i = 1:rows (shapes)
		a{i} = matrix (shapes(i, 1), shapes(i, 2), type);
		b{i} = matrix (shapes(i, 2), shapes(i, 3), type);
	endfor
	show (name, cellfun (@(a, b) a * b, a, b, "UniformOutput", false){:});
	transposed = @(a, b) (b.' * a.').';
	show ([name, " transposed"], cellfun (transposed, a, b, "UniformOutput", false){:});
	show ([name, " with itself"], cellfun (@(a) a * a.', a, "UniformOutput", false){:});
	a = matrix (129, 67, type);
	row = matrix (1, 129, type);
	column = matrix (67, 1, type);
	show ([name, " with vector"], row * a, a * column);
endfunction

printf ("Octave %s\n", version ());
products ("product", "d");
a = matrix (197, 197, "d");
b = matrix (197, 3, "d");
show ("solve", a \ b);
show ("inverse", inv (a));
show ("cholesky", chol (a * a')');
[q, r] = qr (matrix (111, 75, "d"), 0);
show ("qr", q, r);
a = matrix (131, 131, "d");
[v, d] = eig (a + a');
show ("eigen symmetric", diag (d), v);
[v, d] = eig (a);
show ("eigen", diag (d), v);
[u, s, v] = svd (matrix (111, 75, "d"));
show ("svd", u, diag (s), v);
x = matrix (131, 29, "d") \ matrix (131, 2, "d");
show ("least squares", x);
products ("product c128", "z");
products ("product f32", "s");
products ("product c64", "c");
a = matrix (197, 197, "z");
b = matrix (197, 3, "z");
show ("solve c128", a \ b);
a = matrix (197, 197, "s");
b = matrix (197, 3, "s");
show ("solve f32", a \ b);
maps = strsplit (fileread ("/proc/self/maps"), "\n");
libraries = regexp (maps, '/\S*/lib(blas|lapack|openblas|blis|isakern)\S*', "match", "once");
printf ("%s\n", unique (libraries(! cellfun (@isempty, libraries))){:});
