"""Class plans: several lessons in order, with minutes and a clock for the teacher."""
