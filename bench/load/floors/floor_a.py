"""(a) Django REST framework as its tutorial has it: token model, serializers, ORM."""

from typing import Any, ClassVar

from django.db import transaction
from django.urls import path
from rest_framework import serializers
from rest_framework.authentication import TokenAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bench.load.floors.models import Event, Game


class Bearer(TokenAuthentication):
    """The token model, under the usual word."""

    keyword = "Bearer"


class MoveSerializer(serializers.Serializer[Any]):
    """What is sent."""

    kind = serializers.CharField(max_length=32)
    cards = serializers.ListField(child=serializers.CharField(max_length=16), max_length=116)


class EventSerializer(serializers.ModelSerializer[Event]):
    """What is answered."""

    class Meta:
        model = Event
        fields: ClassVar = ["game", "version", "player", "kind", "at", "payload"]


class MoveView(APIView):
    """One move."""

    authentication_classes = (Bearer,)
    permission_classes = (IsAuthenticated,)

    def post(self, request: Request, game_id: str) -> Response:
        """Lock, insert, raise."""
        sent = MoveSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        with transaction.atomic():
            game = Game.objects.select_for_update().get(pk=game_id)
            game.version += 1
            event = Event.objects.create(
                game=game,
                version=game.version,
                player=request.user.pk,
                kind=sent.validated_data["kind"],
                payload=sent.validated_data,
            )
            game.save(update_fields=["version"])
        return Response(EventSerializer(event).data, status=201)


class EmptyView(APIView):
    """Nothing at all."""

    authentication_classes = ()
    permission_classes = ()

    def get(self, request: Request) -> Response:
        """An empty object."""
        return Response({})


urlpatterns = [path("games/<uuid:game_id>/moves", MoveView.as_view()), path("empty", EmptyView.as_view())]
