-- Run once by the image of PostgreSQL, when the data folder is empty. The writer owns the store and is no superuser;
-- API nodes may only read it, with bounds of their own: 168
-- sessions are eight nodes with 21 each, and leave 32 of max_connections = 200 to the writer and to you. With keys in
-- this database a node has 23, and seven nodes fit.
\getenv writer_password WRITER_PASSWORD
\getenv api_password API_PASSWORD

CREATE ROLE lamplight LOGIN CONNECTION LIMIT 20 PASSWORD :'writer_password';
CREATE ROLE lamplight_api LOGIN CONNECTION LIMIT 168 PASSWORD :'api_password';

REVOKE ALL ON DATABASE lamplight FROM PUBLIC;
GRANT CONNECT, CREATE ON DATABASE lamplight TO lamplight;
GRANT CONNECT ON DATABASE lamplight TO lamplight_api;
ALTER DEFAULT PRIVILEGES FOR ROLE lamplight GRANT USAGE ON SCHEMAS TO lamplight_api;
ALTER DEFAULT PRIVILEGES FOR ROLE lamplight GRANT SELECT ON TABLES TO lamplight_api;

-- Where keys lie in this database (--key-store), API nodes count calls, and change no key. The first "keys create", as
-- lamplight, makes the other tables. A test compares these two with those that it would make.
SET ROLE lamplight;
CREATE SCHEMA lamplight_keys;
CREATE TABLE lamplight_keys.key_use (
  hour bigint NOT NULL, key text NOT NULL, method text NOT NULL,
  requests bigint NOT NULL, units bigint NOT NULL,
  PRIMARY KEY (hour, key, method)
);
CREATE TABLE lamplight_keys.key_day (
  day bigint NOT NULL, key text NOT NULL,
  requests bigint NOT NULL, units bigint NOT NULL,
  PRIMARY KEY (day, key)
);
GRANT INSERT, UPDATE, DELETE ON lamplight_keys.key_use, lamplight_keys.key_day TO lamplight_api;
RESET ROLE;

ALTER ROLE lamplight_api SET default_transaction_read_only = on;
ALTER ROLE lamplight_api SET temp_file_limit = '4GB';
ALTER ROLE lamplight_api SET idle_in_transaction_session_timeout = '5min';
