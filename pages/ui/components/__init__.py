"""Components of the app that Streamlit does not have, each in a file of JavaScript and maybe one of CSS."""
