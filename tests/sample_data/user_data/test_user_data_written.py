"""Readers: units behind decimal commas, months with a point, several title lines."""

from sample_data.user_data import read


def test_decimal_commas_before_a_unit_are_numbers():
    frame = read("Stadt;Fläche\nUlm;93,4 m²\nBonn;78,2 m²\nUlm;1127,82 m²\nBonn;60 m²\n".encode(), "t.csv").frame
    assert frame["Fläche (m²)"].round(2).tolist() == [93.4, 78.2, 1127.82, 60.0]


def test_french_months_with_points_are_dates():
    frame = read("mois;ventes\njanv. 2012;833\nfévr. 2012;394\nmars 2012;249\navr. 2012;7\n".encode(), "t.csv").frame
    assert frame["mois"].dt.strftime("%Y-%m").tolist() == ["2012-01", "2012-02", "2012-03", "2012-04"]


def test_a_second_title_line_may_hold_the_delimiter():
    text = "Table 4. Energy\nSource: office, 2019\nhome,rooms,persons,kWh\n" + "A,3,1,7108\nB,3,2,3639\n" * 3
    table = read(text.encode(), "t.csv")
    assert list(table.frame.columns) == ["home", "rooms", "persons", "kWh"]
    assert table.n_rows == 6
    assert "2 lines above the header left out" in table.notes
