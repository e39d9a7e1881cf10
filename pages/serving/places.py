"""Count the connected browser tabs, in total and per network address."""

from collections import Counter

from pages.serving.client_address import network
from pages.serving.messages import MESSAGES
from pages.serving.seldom_log import SeldomLog
from treecore.messages import Sentence

_log = SeldomLog(__name__)


class Places:
    """Count the connected tabs. Use it in the event loop of the server only.

    most : maximum number of tabs; of_address : maximum number per network address; n_open : connected tabs; n_refused :
    refused tabs.
    """

    def __init__(self, most: int = 300, of_address: int = 150) -> None:
        self.most, self.of_address = most, of_address
        self.n_open = self.n_refused = 0
        self._by_address: Counter[str] = Counter()

    def refusal(self, host: str | None) -> Sentence | None:
        """Return and log the reason to refuse a tab, or return None. The log does not contain the address."""
        words = None
        if self.n_open >= self.most:
            words = MESSAGES("places.all", n=self.most)
        elif self._by_address[network(host)] >= self.of_address:
            words = MESSAGES("places.of_address", n=self.of_address)
        if words is not None:
            self.n_refused += 1
            _log.warning(MESSAGES("places.refused", why=words))
        return words

    def take(self, host: str | None) -> None:
        """Count a new tab from an address."""
        self.n_open += 1
        self._by_address[network(host)] += 1

    def leave(self, host: str | None) -> None:
        """Count the end of a tab from an address."""
        self.n_open -= 1
        self._by_address[network(host)] -= 1
        self._by_address += Counter()  # removes zeros
