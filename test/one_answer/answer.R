# SPDX-License-Identifier: MIT
# Products and decompositions by R, as in answer.py.

shapes <- list(c(67, 129, 35), c(130, 3, 61), c(31, 300, 7), c(151, 190, 170))
drawn <- 100000

integers <- function(count) {
	i <- drawn + seq_len(count) - 1
	drawn <<- drawn + count
	((((i * i) %% 2147483647) * i) %% 2147483647) - 1073741824
}

real_matrix <- function(rows, cols) matrix(integers(rows * cols) * 2^-30, rows, byrow = TRUE)

complex_matrix <- function(rows, cols) {
	parts <- matrix(integers(rows * cols * 2) * 2^-30, 2)
	matrix(complex(real = parts[1, ], imaginary = parts[2, ]), rows, byrow = TRUE)
}

show <- function(name, ...) {
	file <- tempfile()
	to <- file(file, "wb")
	for (r in list(...)) writeBin(c(if (is.matrix(r)) t(r) else r), to, endian = "little")
	close(to)
	cat(sprintf("%-26s %s\n", name, tools::md5sum(file)))
	unlink(file)
}

products <- function(name, drawn) {
	pairs <- lapply(shapes, function(s) list(a = drawn(s[1], s[2]), b = drawn(s[2], s[3])))
	each <- function(f) lapply(pairs, function(p) f(p$a, p$b))
	do.call(show, c(name, each(function(a, b) a %*% b)))
	do.call(show, c(paste(name, "transposed"), each(function(a, b) t(t(b) %*% t(a)))))
	do.call(show, c(paste(name, "with itself"), each(function(a, b) tcrossprod(a))))
	a <- drawn(129, 67)
	row <- drawn(1, 129)
	column <- drawn(67, 1)
	show(paste(name, "with vector"), row %*% a, a %*% column)
}

cat("R", paste(R.version$major, R.version$minor, sep = "."), "\n")
products("product", real_matrix)
a <- real_matrix(197, 197)
b <- real_matrix(197, 3)
show("solve", solve(a, b))
show("inverse", solve(a))
show("cholesky", t(chol(a %*% t(a))))
q <- qr(real_matrix(111, 75), LAPACK = TRUE)
show("qr", qr.Q(q), qr.R(q))
a <- real_matrix(131, 131)
e <- eigen(a + t(a), symmetric = TRUE)
show("eigen symmetric", e$values, e$vectors)
e <- eigen(a, symmetric = FALSE)
show("eigen", e$values, e$vectors)
s <- svd(real_matrix(111, 75))
show("svd", s$u, s$d, s$v)
show("least squares", lm.fit(real_matrix(131, 29), real_matrix(131, 2))$coefficients)
products("product c128", complex_matrix)
a <- complex_matrix(197, 197)
b <- complex_matrix(197, 3)
show("solve c128", solve(a, b))
maps <- sub("^[^/]*", "", readLines("/proc/self/maps"))
cat(unique(grep("/lib(blas|lapack|openblas|blis|isakern)", maps, value = TRUE)), sep = "\n")
