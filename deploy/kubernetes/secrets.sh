#!/usr/bin/env bash
# Writes the Secrets that the objects here name to standard output, from what `npm run secrets` made:
#   deploy/kubernetes/secrets.sh | kubectl apply -n rubrica -f -
#   deploy/kubernetes/secrets.sh notifier | …       those of one service alone
#   deploy/kubernetes/secrets.sh servers  | …       those of the servers of overlays/small
# NATS and PostgreSQL are called nats:4222 and postgres:5432/rubrica unless NATS_URL and DATABASE (host:port/name) say
# otherwise; the names must be those of their certificates. DEPLOY is the folder with .env and secrets/, if not deploy/.
set -euo pipefail
deploy=${DEPLOY:-$(dirname "$0")/..}
nats=${NATS_URL:-nats://nats:4222}
database=${DATABASE:-postgres:5432/rubrica}

value() { sed -n "s/^$1=//p" "$deploy/.env" | sed "s/^'\(.*\)'$/\1/; s/^\"\(.*\)\"$/\1/"; }
upper() { tr 'a-z-' 'A-Z_' <<<"$1"; }
# A name, then literals (NAME=value, left out where there is no value) and files (file=path).
secret() {
  local name=$1 arguments=()
  shift
  for one in "$@"; do
    case $one in
      file:*) arguments+=("--from-file=${one#file:}") ;;
      *=) ;;
      *) arguments+=("--from-literal=$one") ;;
    esac
  done
  echo ---
  kubectl create secret generic "$name" --dry-run=client -o yaml "${arguments[@]}"
}
address() { echo "postgres://$1:$2@$database?sslmode=verify-full&sslrootcert=/run/tls/postgres-ca.pem"; }
more() { for name in "$@"; do echo "$name=$(value "$name")"; done; }
certificates() { for file in "$deploy/secrets/tls/$1"/*; do echo "file:$(basename "$file")=$file"; done; }

of_service() {
  local service=$1 literals=() password
  if [ "$service" = console ]; then
    secret console "COOKIE_KEYS=$(value CONSOLE_COOKIE_KEYS)"
    return
  fi
  literals=("NATS_URL=$nats" "NATS_PASSWORD=$(value "NATS_$(upper "$service")_PASSWORD")")
  case $service in
    intake) mapfile -t -O 2 literals < <(more REGISTRY_TOKEN TAX_REGISTRY_TOKEN LIVENESS_TOKEN OPERATOR_OIDC_CLIENT_SECRET) ;;
    generation) mapfile -t -O 2 literals < <(more PKCS11_PIN) ;;
    notifier) mapfile -t -O 2 literals < <(more SMTP_URL SMS_URL SMS_TOKEN) ;;
  esac
  if [ "$service" != gateway ]; then
    literals+=("DATABASE_URL=$(address "rubrica_$service" "$(value "$(upper "$service")_PASSWORD")")")
    password=$(value "$(upper "$service")_OWNER_PASSWORD")
    secret "$service-provision" "DATABASE_OWNER_URL=$(address "rubrica_${service}_owner" "$password")" \
      "NATS_PROVISION_PASSWORD=$(value "NATS_$(upper "$service")_PROVISION_PASSWORD")"
    mapfile -t files < <(certificates "$service-provision")
    secret "$service-provision-tls" "${files[@]}"
  fi
  secret "$service" "${literals[@]}"
  secret "$service-keys" "file:keys.json=$deploy/secrets/$service.json"
  mapfile -t files < <(certificates "$service")
  secret "$service-tls" "${files[@]}"
  if [ "$service" = intake ]; then
    mapfile -t files < <(certificates file-checker)
    secret file-checker-tls "${files[@]}"
  fi
}

# For the trial's own servers (overlays/small); only asked for by name.
of_servers() {
  local roles=() service name
  for service in intake generation terms notifier; do
    for name in "${service}_owner" "$service"; do
      roles+=("-c rubrica.${name}_password=$(value "$(upper "$name")_PASSWORD")")
    done
  done
  secret postgres "POSTGRES_PASSWORD=$(value POSTGRES_PASSWORD)" "PGOPTIONS=${roles[*]}"
  for name in postgres nats database-roles; do
    mapfile -t files < <(certificates "$name")
    secret "$name-tls" "${files[@]}"
  done
}

services=("$@")
((${#services[@]})) || services=(gateway intake generation terms notifier console)
secret peers "file:peers.json=$deploy/secrets/peers.json"
for service in "${services[@]}"; do
  if [ "$service" = servers ]; then of_servers; else of_service "$service"; fi
done
