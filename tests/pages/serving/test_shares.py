from pages.serving.shares import StoredItem, to_drop


def kept(owner, address, n_bytes=1, age=0.0):
    return StoredItem(object(), owner, address, n_bytes, age)


def test_nothing_goes_while_there_is_room():
    things = [kept("a", "x", 5), kept("b", "y", 5)]
    assert to_drop(things, things[0], 2, 10) == []


def test_the_oldest_of_the_heaviest_owner_at_the_heaviest_address_goes():
    ann, bob = kept("a", "x", age=99), [kept("b", "x", age=age) for age in (50, 70, 60)]
    things = [ann, *bob, kept("c", "y", age=99), kept("c", "y")]
    assert to_drop(things, things[-1], 5, 100) == [bob[1]]


def test_bytes_weigh_as_much_as_numbers():
    things = [kept("a", "x", 90, age=1), kept("b", "y", 1, age=9), kept("b", "y", 1, age=9), kept("c", "z", 20)]
    assert to_drop(things, things[-1], 100, 100) == [things[0]]


def test_the_newest_of_equal_owners_gives_way():
    things = [kept("a", "x", age=99), kept("b", "y", age=50), kept("c", "z")]
    assert to_drop(things, things[-1], 2, 100) == [things[-1]]


def test_the_largest_owner_pushes_out_only_their_own_files():
    class_ = [kept(f"{k}", "x", age=50) for k in range(10)]
    things = [*class_, *(kept("a", "y", age=age) for age in (3, 2)), kept("a", "y")]
    assert to_drop(things, things[-1], 12, 100) == [things[10]]
