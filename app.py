"""The app: the server that `streamlit run` starts from this file, and the script that it runs for each visitor."""

if __name__ == "__main__":
    from pages.ui.shell import frame

    frame.run()
else:
    from starlette.middleware import Middleware
    from streamlit import App

    from pages.serving.http_guard import HttpGuard
    from pages.serving.quotas import Quotas

    app = App(__file__, middleware=[Middleware(HttpGuard, most=Quotas.of().visitors)])
