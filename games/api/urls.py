"""Where calls about games lead."""

from django.urls import path

from games.api import checkpoint_views, lobby_views, play_views, read_views, rules_views, sandbox_views

# Addresses are tried in this order: those of play stand first.
urlpatterns = [
    path("games/<str:game_id>/moves", play_views.MovesView.as_view()),
    path("games/<str:game_id>/events", read_views.EventsView.as_view()),
    path("games/join", lobby_views.JoinByCodeView.as_view()),
    path("games/<str:game_id>", read_views.GameView.as_view()),
    path("rules", rules_views.RulesView.as_view()),
    path("rules/presets", rules_views.PresetsView.as_view()),
    path("me/games", read_views.OwnGamesView.as_view()),
    path("games", lobby_views.GamesView.as_view()),
    path("games/<str:game_id>/join", lobby_views.JoinView.as_view()),
    path("games/<str:game_id>/leave", lobby_views.LeaveView.as_view()),
    path("games/<str:game_id>/start", lobby_views.StartView.as_view()),
    path("games/<str:game_id>/cancel", lobby_views.CancelView.as_view()),
    path("games/<str:game_id>/seats/<str:number>", lobby_views.SeatView.as_view()),
    path("games/<str:game_id>/legal-moves", read_views.LegalMovesView.as_view()),
    path("games/<str:game_id>/history/<str:version>", read_views.HistoryView.as_view()),
    path("games/<str:game_id>/record", read_views.RecordView.as_view()),
    path("games/<str:game_id>/verification", read_views.VerificationView.as_view()),
    path("checkpoints", checkpoint_views.CheckpointsView.as_view()),
    path("checkpoints/keys", checkpoint_views.CheckpointKeysView.as_view()),
    path("checkpoints/<str:checkpoint>", checkpoint_views.CheckpointView.as_view()),
    path("sandbox/games", sandbox_views.SandboxGamesView.as_view()),
    path("sandbox/games/<str:game_id>/clock", sandbox_views.ClockView.as_view()),
]
