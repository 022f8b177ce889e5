from __future__ import annotations

import json

from animato.report.kit.markup import Markup, data_address, element, escaped, joined, script_data


def test_text_is_escaped_and_markup_is_not() -> None:
    inner = element("b", "1 < 2 & \"3\" > '2'")
    assert inner == "<b>1 &lt; 2 &amp; &quot;3&quot; &gt; &#x27;2&#x27;</b>"
    assert element("p", inner, None, 7) == f"<p>{inner}7</p>"
    assert escaped(inner) is inner
    assert isinstance(joined("<", inner), Markup)


def test_attributes() -> None:
    made = element("td", class_='a"b', data_sort=0, hidden=True, title=None, draggable=False, viewBox="0 0 1 1")
    assert made == '<td class="a&quot;b" data-sort="0" hidden viewBox="0 0 1 1"></td>'
    assert element("img", src="x", alt="") == '<img src="x" alt="">'


def test_script_data_cannot_leave_its_element() -> None:
    evil = {"name": "</script><script>alert(1)</script><!-- &amp;"}
    made = script_data("data", evil)
    body = made.removeprefix('<script id="data" type="application/json">').removesuffix("</script>")
    assert "<" not in body and ">" not in body and "&" not in body
    assert json.loads(body) == evil


def test_data_address() -> None:
    assert data_address(b"abc", "image/png") == "data:image/png;base64,YWJj"
