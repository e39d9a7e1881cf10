"""Settings of the explore page that suit the size of a data set."""

FEW, MANY = 5e6, 2e7  # values (rows x features)
GENTLE = {"n_lambdas": 12, "max_depth": 6}
GENTLEST = {"n_lambdas": 8, "max_depth": 5}


def gentle(data, now):
    """Changes of the `Settings` `now` that keep training on large data to minutes; none for small data."""
    size = data.n_rows * data.n_features
    most = {} if size < FEW else GENTLE if size < MANY else GENTLEST
    return {name: min(value, getattr(now, name)) for name, value in most.items()}
