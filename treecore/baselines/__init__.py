"""Methods that TAO is compared with."""
