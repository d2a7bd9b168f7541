"""Where calls about accounts lead."""

from django.urls import path

from accounts.api import views

urlpatterns = [
    path("players", views.PlayersView.as_view()),
    path("players/guest", views.GuestsView.as_view()),
    path("players/<str:player_id>", views.PlayerView.as_view()),
    path("tokens", views.TokensView.as_view()),
    path("tokens/<str:token_id>", views.TokenView.as_view()),
    path("me", views.MeView.as_view()),
    path("me/upgrade", views.UpgradeView.as_view()),
    path("me/password", views.PasswordView.as_view()),
    path("me/limits", views.LimitsView.as_view()),
]
