# One image for every process of the service. It was checked by a linter and by its parts, never built where it was written.
FROM python:3.11-slim-bookworm

ENV PYTHONUNBUFFERED=1 \
    VAR_DIR=/srv/taki/var \
    GRANIAN_INTERFACE=wsgi \
    GRANIAN_HTTP=1 \
    GRANIAN_HOST=0.0.0.0 \
    GRANIAN_PORT=8000 \
    GRANIAN_WORKERS=2 \
    GRANIAN_BLOCKING_THREADS=4 \
    GRANIAN_WEBSOCKETS=false \
    GRANIAN_WORKERS_KILL_TIMEOUT=5 \
    GRANIAN_STATIC_PATH_MOUNT=/srv/taki/var/static

WORKDIR /srv/taki
COPY requirements.lock .
RUN pip install --no-cache-dir --require-hashes --requirement requirements.lock

COPY manage.py ./
COPY docs docs
COPY eventlog eventlog
COPY httpapi httpapi
COPY accounts accounts
COPY games games
COPY tournaments tournaments
COPY taki_project taki_project

# Nothing is asked of a database here; the key is used for nothing and not kept.
RUN SECRET_KEY=unused python manage.py collectstatic --no-input \
    && useradd --system --uid 10001 --no-create-home taki \
    && chown -R taki var
USER taki

EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health/live', timeout=2)"]
CMD ["granian", "taki_project.wsgi:application"]
