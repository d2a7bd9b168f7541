"""Where calls about tournaments lead."""

from django.urls import path

from tournaments.api import views

urlpatterns = [
    path("tournaments", views.TournamentsView.as_view()),
    path("tournaments/<str:tournament_id>", views.TournamentView.as_view()),
    path("tournaments/<str:tournament_id>/join", views.JoinView.as_view()),
    path("tournaments/<str:tournament_id>/start", views.StartView.as_view()),
    path("tournaments/<str:tournament_id>/stages.svg", views.StagesView.as_view()),
]
