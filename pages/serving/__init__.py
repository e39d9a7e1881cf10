"""The app as a server: who may ask, what a visitor may take."""
