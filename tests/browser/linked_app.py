"""Draw a page with two or three linked stages for the browser tests: `streamlit run tests/browser/linked_app.py`."""

if __name__ == "__main__":
    import streamlit as st

    from pages.ui.shell import stage
    from pages.ui.styles.sheet import sheet
    from tests.browser.linked_examples import linked
    from viz.payload.stage_payload import shared_sample

    st.set_page_config(layout="wide")
    st.html(sheet("streamlit"))
    example = linked()
    match = st.radio("Match", stage.MATCHES)
    shown = [title for title in example.names if st.checkbox(f"Show {title}", title != "Single tree")]
    sample = shared_sample(example.data, example.rows)
    views = {}
    for column, (title, path) in zip(stage.columns(len(example.named)), example.named, strict=True):
        if title in shown:
            with column:
                content = stage.payload(title, False, path, example.data, example.rows, sample)
                options = stage.Options(title=title, link="methods", match=match, compact=True)
                views[title] = stage.mount(title, content, slot=title, options=options)
    st.text(" / ".join(f"{title}: {view.tree if view else None}" for title, view in views.items()))
else:
    from streamlit import App

    from pages.ui.shell.served_files import route

    app = App(__file__, routes=[route()])
