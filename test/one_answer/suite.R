# SPDX-License-Identifier: MIT
# R's demonstration of linear models, with its statements and results.
pdf(NULL)
demo(lm.glm, package = "stats", ask = FALSE, echo = TRUE)
cat("The demonstration has ended.\n")
