"""Other methods that TAO is compared with, one file each."""
