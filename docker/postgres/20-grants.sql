-- What the application is given as tables come; the log's tables take back what it may not do there.
ALTER DEFAULT PRIVILEGES FOR ROLE taki_owner GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO taki_app;
ALTER DEFAULT PRIVILEGES FOR ROLE taki_owner GRANT USAGE, SELECT ON SEQUENCES TO taki_app;
-- A process that hangs in the middle of its work keeps others from its games for no longer.
ALTER ROLE taki_app SET idle_in_transaction_session_timeout = '60s';
