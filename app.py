"""Start the app. The file defines the Streamlit server, and the script that the server runs for each visitor."""

if __name__ == "__main__":
    from pages.ui.explore.first_page import first_page

    first_page().wait()
    from pages.ui import frame

    frame.run()
else:
    import asyncio
    from collections.abc import AsyncGenerator
    from contextlib import asynccontextmanager
    from typing import Any

    from starlette.concurrency import run_in_threadpool
    from starlette.middleware import Middleware
    from streamlit import App, get_option, runtime

    from pages.jobs import job_files
    from pages.serving import metrics, opened_page
    from pages.serving.http_guard import HttpGuard
    from pages.serving.metrics import Figures
    from pages.serving.places import Places, raise_limit
    from pages.serving.quotas import Quotas
    from pages.serving.server_figures import server_figures
    from pages.serving.sessions import SHARE, Sessions
    from pages.serving.stop_in_time import stop_in_time
    from pages.serving.upload_limits import UploadLimits
    from pages.ui.explore.first_page import first_page
    from pages.ui.shell import served_files
    from pages.ui.styles.sheet import common
    from treecore.errors import TreecoreError

    try:
        quotas, readers = Quotas.of(), metrics.readers()
    except TreecoreError as error:
        raise SystemExit(str(error)) from None

    SOON = 0.05  # seconds before the first page is trained, so that the server can listen first
    SWEEP = 10.0  # seconds between two checks for ended sessions and their uploads

    raise_limit()
    places = Places(quotas.visitors, quotas.address_visitors)
    sessions = Sessions(
        lambda name: runtime.get_instance().close_session(name), SHARE * get_option("server.disconnectedSessionTTL")
    )
    uploads = UploadLimits(quotas, get_option("server.maxUploadSize") * 1024**2)

    def files() -> Any:
        """Return Streamlit's store of uploads."""
        return runtime.get_instance().uploaded_file_mgr

    async def figures() -> Figures:
        """Return the metrics of the server for its administrator."""
        from pages.ui.shell.manager import manager  # slow imports

        waiting = sum(len(one.data) for kept in [*files().file_storage.values()] for one in [*kept.values()])
        jobs = await run_in_threadpool(lambda: manager().counts())
        return await run_in_threadpool(server_figures, places, jobs, job_files.jobs_folder(), waiting)

    async def drop_ended() -> None:
        """Close ended sessions, and remove their uploads, which Streamlit would keep until the server stops."""
        while True:
            await asyncio.sleep(SWEEP)
            sessions.sweep()
            for session in uploads.ended_sessions([*files().file_storage], runtime.get_instance().is_active_session):
                files().remove_session_files(session)

    @asynccontextmanager
    async def lifespan(_: App) -> AsyncGenerator[dict]:
        stop_in_time()
        asyncio.get_running_loop().call_later(SOON, first_page)
        sweeping = asyncio.create_task(drop_ended())
        yield {}
        sweeping.cancel()

    guard = Middleware(
        HttpGuard, places=places, uploads=uploads, readers=readers, sessions=sessions, cookie_hours=quotas.kept_hours
    )
    routes = [served_files.route(), metrics.route(figures), *opened_page.routes(common(), served_files.early_links)]
    app = App(__file__, lifespan=lifespan, routes=routes, middleware=[guard])
