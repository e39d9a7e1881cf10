"""`Places`: how many browser tabs are connected, of all and of each network address."""

from collections import Counter

from pages.serving.client_address import network
from pages.serving.messages import MESSAGES
from pages.serving.seldom_log import SeldomLog

_log = SeldomLog(__name__)


class Places:
    """Used by the server's event loop only. most : of browser tabs; of_address : of these, from one network address.

    n_open : tabs that are connected; n_refused : visitors who came when there was no place.
    """

    def __init__(self, most=300, of_address=150):
        self.most, self.of_address = most, of_address
        self.n_open = self.n_refused = 0
        self._by_address = Counter()

    def refusal(self, host):
        """Why an address gets no place, in words, or None; logged without the address."""
        words = None
        if self.n_open >= self.most:
            words = MESSAGES("places.all", n=self.most)
        elif self._by_address[network(host)] >= self.of_address:
            words = MESSAGES("places.of_address", n=self.of_address)
        if words is not None:
            self.n_refused += 1
            _log.warning(MESSAGES("places.refused", why=words))
        return words

    def take(self, host):
        """Count a tab of an address."""
        self.n_open += 1
        self._by_address[network(host)] += 1

    def leave(self, host):
        """Count it no more."""
        self.n_open -= 1
        self._by_address[network(host)] -= 1
        self._by_address += Counter()  # without zeros
