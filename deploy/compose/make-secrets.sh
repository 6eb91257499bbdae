#!/bin/sh
# Makes the secrets of compose.yaml, once. Existing files are kept.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
random() { head -c 24 /dev/urandom | base64 | tr '+/' '-_'; }
keep() { [ -s "secrets/$1" ] || printf '%s' "$2" >"secrets/$1"; }
keep postgres_password "$(random)"
keep owner_password "$(random)"
keep app_password "$(random)"
keep clickhouse_password "$(random)"
keep secrets_key "$(head -c 32 /dev/urandom | base64)"
keep database_owner_url "postgres://pc_owner:$(cat secrets/owner_password)@postgres:5432/publisher_center"
keep database_url "postgres://pc_login:$(cat secrets/app_password)@postgres:5432/publisher_center"
keep clickhouse_url "http://publisher_center:$(cat secrets/clickhouse_password)@clickhouse:8123/publisher_center_stats"
# The parts run as another user than the one who starts compose.
chmod 0755 secrets
chmod 0644 secrets/*
