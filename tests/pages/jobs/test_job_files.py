"""Files of jobs that several threads write."""

from concurrent.futures import ThreadPoolExecutor

from pages.jobs import job_files


def test_threads_write_the_same_file_and_drop_old_ones(tmp_path):
    def work(k):
        job_files.write_json(tmp_path / f"{k % 3}.json", {"k": k})
        job_files.drop_oldest(tmp_path, 2)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(200)))
    job_files.drop_oldest(tmp_path, 2)
    left = list(tmp_path.iterdir())
    assert len(left) <= 2  # several that drop at the same time may drop more
    assert {path.suffix for path in left} <= {".json"}
    assert all(job_files.read_json(path)["k"] < 200 for path in left)
