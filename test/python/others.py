#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The functions where pandas and scikit-learn take functions of numpy.

    others.py SOURCE BUILD
"""
import numpy as np

import direct  # sets the path to the package
from tap import done, ok, skip

import isakern as isk

X = np.random.default_rng(5).random((40, 3)) + 0.5


def with_pandas(pd):
    series = pd.Series(X[:, 0].astype("f4"), index=list(range(100, 140)), name="s")
    frame = pd.DataFrame(X, columns=list("abc"))
    got = isk.exp(series)
    ok(isinstance(got, pd.Series) and got.index.equals(series.index) and got.name == "s" and direct.same(
        got.to_numpy(), isk.exp(series.to_numpy())), "a ufunc of a Series is a Series")
    ok((isk.add(series, 1) == series + 1).all(), "and with two operands")
    got = isk.sqrt(frame)
    ok(isinstance(got, pd.DataFrame) and list(got.columns) == list("abc") and direct.same(got.to_numpy(), isk.sqrt(X)), "a ufunc of a DataFrame")
    ok(isk.sum(series) == isk.sum(series.to_numpy()) and np.allclose(isk.mean(frame, axis=0), frame.mean()), "reductions take both")
    for name in ("sum", "max", "mean", "std", "nrm2"):
        function = getattr(isk, name)
        got = frame.apply(function)
        ok(isinstance(got, pd.Series) and np.allclose(got, [function(X[:, i].copy()) for i in range(3)]), "DataFrame.apply(%s)" % name)
    ok(np.allclose(frame.apply(isk.logsumexp, axis=1), isk.logsumexp(X, axis=1)), "along rows")
    ok(direct.same(frame.apply(isk.log1p).to_numpy(), isk.log1p(X)), "DataFrame.apply of a ufunc")
    ok(np.allclose(series.apply(isk.exp), isk.exp(series)), "Series.apply")
    ok(np.allclose(frame.groupby(frame.index % 2).agg(lambda s: isk.sum(s))["a"], frame.groupby(frame.index % 2)["a"].sum()), "groups")


def with_sklearn():
    from sklearn.neighbors import NearestNeighbors
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer, StandardScaler

    got = FunctionTransformer(isk.log1p, inverse_func=isk.expm1, check_inverse=True).fit(X)
    ok(direct.same(got.transform(X), isk.log1p(X)), "FunctionTransformer")
    got = make_pipeline(FunctionTransformer(isk.clip, kw_args={"low": 0.6, "high": 1.2}), StandardScaler()).fit_transform(X)
    ok(np.allclose(got, StandardScaler().fit_transform(np.clip(X, 0.6, 1.2))), "in a pipeline, with values")
    _, plain = NearestNeighbors(n_neighbors=4, algorithm="brute").fit(X).kneighbors(X)
    _, ours = NearestNeighbors(n_neighbors=4, algorithm="brute", metric=isk.l2sq).fit(X).kneighbors(X)
    ok((plain == ours).all(), "a metric of NearestNeighbors")


try:
    import pandas
    with_pandas(pandas)
except ImportError:
    skip("pandas", "it is not installed; Debian has python3-pandas")
try:
    import sklearn  # noqa: F401
    with_sklearn()
except ImportError:
    skip("scikit-learn", "it is not installed; Debian has python3-sklearn")
done()
