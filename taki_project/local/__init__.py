"""The whole service on one machine: own PostgreSQL, own Valkey and the web server under one supervisor."""
