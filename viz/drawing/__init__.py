"""What all figures are drawn on and with; knows neither trees nor charts."""
