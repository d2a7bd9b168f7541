"""Where calls about tournaments lead."""

from django.urls import path

from tournaments.api import views

urlpatterns = [path("tournaments/<str:tournament_id>", views.TournamentView.as_view())]
