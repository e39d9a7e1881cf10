"""The parts that all pages share: frame, address, links and stage."""
