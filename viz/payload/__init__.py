"""What Python sends to the stage."""
