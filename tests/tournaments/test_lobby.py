"""A tournament over HTTP before it begins: opened, found, joined, started."""

import pytest

from tests.games.people import Json, Person, opened, people

pytestmark = pytest.mark.django_db


def tournament(host: Person, **body: object) -> Json:
    return host.post("tournaments", body).ok(201)


def test_a_tournament_opens_with_its_host_seated_and_its_commitment_published() -> None:
    host = Person("Noa")
    answer = host.post("tournaments", {"name": "Friday", "max_players": 4})
    view = answer.ok(201)
    assert answer.headers["Location"] == f"/api/v1/tournaments/{view['id']}"
    assert (view["status"], view["stages"], view["timeline"], view["started_at"]) == ("open", 8, [], None)
    assert (view["ruleset"]["preset"], view["ruleset"]["options"]["mode"]) == ("tournament_116", "tournament")
    assert view["players"] == [
        {
            "seat": 0,
            "player": {"id": host.id, "name": "Noa", "kind": "human"},
            "status": "playing",
            "stage": None,
            "hand_count": 0,
            "since": None,
            "strikes": 0,
            "place": None,
            "spent": [],
        }
    ]
    game = host.view(view["game"])
    assert (game["mode"], game["max_players"], game["join_code"]) == ("tournament", 4, view["join_code"])
    assert game["fairness"] == view["fairness"]


def test_a_tournament_is_joined_and_started_under_its_own_address() -> None:
    players = people(3)
    view = tournament(players[0])
    for player in players[1:]:
        joined = player.post(f"tournaments/{view['id']}/join", {"client_seed": "mine"}).ok()
        assert "join_code" not in joined
    began = players[0].post(f"tournaments/{view['id']}/start").ok()
    assert (began["status"], began["turn"] in range(3)) == ("running", True)
    assert [(player["stage"], player["hand_count"]) for player in began["players"]] == [(8, 8)] * 3
    assert [player["since"] for player in began["players"]] == [began["started_at"]] * 3
    assert [player["place"] for player in began["players"]] == [1, 1, 1]


def test_a_mode_is_no_choice_in_a_tournament() -> None:
    host = Person()
    host.post("tournaments", {"mode": "tournament"}).faulty("/mode", "unknown_field")
    host.post("tournaments", {"ruleset": {"options": {"mode": "single"}}}).faulty(
        "/ruleset/options/mode", "impossible_option"
    )
    assert tournament(host, ruleset={"options": {"mode": "tournament"}})["stages"] == 8


@pytest.mark.parametrize("preset", ["taki_116", "strict", "home", "classic_112"])
def test_every_preset_can_be_played_as_a_tournament(preset: str) -> None:
    view = tournament(Person(), ruleset={"preset": preset, "options": {"tournament_stages": 3}})
    assert (view["ruleset"]["preset"], view["stages"]) == (preset, 3)
    assert view["ruleset"]["options"]["mode"] == "tournament"


def test_an_option_at_fault_is_named_as_with_games() -> None:
    host = Person()
    host.post("tournaments", {"ruleset": {"options": {"tournament_stages": 9}}}).faulty(
        "/ruleset/options/tournament_stages", "impossible_option"
    )
    host.post("tournaments", {"ruleset": {"preset": "bridge"}}).faulty("/ruleset/preset", "unknown_preset")
    host.post("tournaments", {"max_players": 11}).faulty("/max_players", "out_of_range")


def test_a_repeated_opening_and_a_repeated_join_are_one() -> None:
    host, guest = people(2)
    first = host.post("tournaments", {}, idempotency_key="once")
    again = host.post("tournaments", {}, idempotency_key="once")
    assert (first.raw, again.headers["Idempotent-Replayed"]) == (again.raw, "true")
    address = f"tournaments/{first.ok(201)['id']}/join"
    joined = guest.post(address, {}, idempotency_key="in")
    assert guest.post(address, {}, idempotency_key="in").raw == joined.raw
    assert len(joined.ok()["players"]) == 2


def test_the_refusals_are_those_of_the_game() -> None:
    host, guest, third = people(3)
    game = tournament(host, max_players=2)["id"]
    host.post(f"tournaments/{game}/start").refused(409, "too_few_players")
    host.post(f"tournaments/{game}/join").refused(409, "already_seated")
    guest.post(f"tournaments/{game}/join", {}, if_match="1").refused(412, "version_conflict")
    guest.post(f"tournaments/{game}/join").ok()
    third.post(f"tournaments/{game}/join").refused(409, "game_full")
    guest.post(f"tournaments/{game}/start").refused(403, "not_the_host")
    host.post(f"tournaments/{game}/start").ok()
    host.post(f"tournaments/{game}/start").refused(409, "game_not_open")


def test_a_single_game_is_not_joined_or_started_as_a_tournament() -> None:
    host, guest = people(2)
    game = opened(host)["id"]
    guest.post(f"tournaments/{game}/join").refused(404, "not_found")
    host.post(f"tournaments/{game}/start").refused(404, "not_found")
    assert len(host.view(game)["seats"]) == 1


def test_reading_tokens_look_but_do_not_open() -> None:
    reader = Person(scopes=["read"])
    reader.post("tournaments", {}).refused(403, "scope_missing")
    game = tournament(Person())["id"]
    reader.post(f"tournaments/{game}/join").refused(403, "scope_missing")
    assert reader.get(f"tournaments/{game}").ok()["id"] == game
    assert reader.get("tournaments").ok()["results"][0]["id"] == game


def test_the_list_holds_listed_tournaments_newest_first_with_their_stages() -> None:
    players = people(2)
    opened(players[0])
    tournament(players[0], visibility="unlisted")
    first, second = (tournament(players[0], ruleset={"options": {"tournament_stages": 5}})["id"] for _ in range(2))
    players[1].post(f"tournaments/{first}/join").ok()
    players[0].post(f"tournaments/{first}/start").ok()
    listed = players[1].get("tournaments").ok()["results"]
    assert [(entry["id"], entry["first_stage"], entry["stages"]) for entry in listed] == [
        (second, 5, []),
        (first, 5, [5, 5]),
    ]
    assert {entry["mode"] for entry in listed} == {"tournament"}


@pytest.mark.parametrize(
    "query, found", [("status=open", 2), ("status=finished", 0), ("player={id}", 2), ("limit=1", 1)]
)
def test_the_list_is_filtered_and_paged(query: str, found: int) -> None:
    host = Person()
    for _ in range(2):
        tournament(host)
    page = host.get("tournaments?" + query.format(id=host.id)).ok()
    assert len(page["results"]) == found
    if found == 1:
        rest = host.get(page["next"].removeprefix("/api/v1/")).ok()
        assert rest["results"][0]["id"] != page["results"][0]["id"]


def test_the_list_has_no_filter_by_mode() -> None:
    Person().get("tournaments?mode=single").faulty("/?mode", "unknown_field")
