"""The parts that every page has: frame, address, links and stage."""
