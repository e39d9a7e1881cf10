"""Why a tree predicts what it predicts for a row."""
