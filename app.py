"""The app: the server that `streamlit run` starts from this file, and the script that it runs for each visitor."""

if __name__ == "__main__":
    from pages.ui.explore.first_page import first_page

    first_page().wait()
    from pages.ui.shell import frame

    frame.run()
else:
    import asyncio
    import signal
    from contextlib import asynccontextmanager

    from starlette.middleware import Middleware
    from streamlit import App

    from pages.serving.http_guard import HttpGuard
    from pages.serving.quotas import Quotas
    from pages.ui.explore.first_page import first_page
    from pages.ui.shell.served_files import route
    from treecore.errors import TreecoreError

    try:
        quotas = Quotas.of()
    except TreecoreError as error:
        raise SystemExit(str(error)) from None

    SOON = 0.05  # seconds in which the server begins to listen

    @asynccontextmanager
    async def lifespan(_):
        asyncio.get_running_loop().call_later(SOON, first_page)
        yield {}

    guard = Middleware(HttpGuard, most=quotas.visitors)
    app = App(__file__, lifespan=lifespan, routes=[route()], middleware=[guard])
    # as Ctrl-C: uvicorn ends by giving itself the signal again, which for SIGTERM leaves out what ends the workers
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
