"""Worksheets of lessons, for students and with the key, as HTML and PDF.

``python -m pages.ui.learn.worksheets.worksheet_files FOLDER`` writes the worksheets of all lessons.
"""
