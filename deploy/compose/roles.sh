#!/bin/sh
# Run once by the PostgreSQL image, on an empty volume: the roles of platform/postgres/roles.ts and the database.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set owner="$(cat /run/secrets/owner_password)" --set app="$(cat /run/secrets/app_password)" <<'SQL'
create role pc_app nologin;
create role pc_owner login password :'owner';
create role pc_login login noinherit password :'app';
grant pc_app to pc_owner, pc_login with inherit false, set true;
create database publisher_center owner pc_owner encoding 'UTF8' template template0
  locale_provider builtin builtin_locale 'C.UTF-8' locale 'C' lc_ctype 'C.UTF-8';
SQL
