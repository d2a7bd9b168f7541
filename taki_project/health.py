"""Two questions a load balancer asks: is the process alive, can it serve."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse


def live(request: HttpRequest) -> HttpResponse:
    """Alive: the process answers; asks nobody else."""
    return JsonResponse({"status": "ok"})


def ready(request: HttpRequest) -> HttpResponse:
    """Ready: the database answers. Redis may be away, so it is not asked."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return JsonResponse({"status": "database_away"}, status=503, headers={"Retry-After": "2"})
    return JsonResponse({"status": "ok"})
