# syntax=docker/dockerfile:1
# One image for every part: `--services=web`, `api` or `worker`, or all of them with the embedded stores.

# Only what says which packages are needed: their layer is made anew when that changes, not with every source file.
FROM node:24.21.0-bookworm-slim AS manifests
WORKDIR /app
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete \
 && find . -type d -empty -delete

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY --from=manifests /app ./
# Install scripts stay off (.npmrc): nothing that was downloaded runs here. `npm ci` refuses a lock file that was made
# where a package of another platform was missing; `install` takes it, with the same versions and checksums.
RUN npm ci --include=dev || npm install --no-save --include=dev
COPY . .
RUN node tools/build.ts
# Of the applications of the browser only what was built is shipped.
RUN find apps -mindepth 2 -maxdepth 2 ! -path 'apps/server/*' ! -name dist ! -name package.json -exec rm -rf {} +

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY --from=manifests /app ./
# The image brings its own Node; the pinned one of the repository is for clones.
RUN (npm ci --omit=dev || npm install --no-save --omit=dev) && rm -rf node_modules/node-linux-* node_modules/node-bin-*

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production \
    NODE_OPTIONS="--disable-warning=ExperimentalWarning --max-semi-space-size=16" \
    UV_THREADPOOL_SIZE=12 \
    MALLOC_ARENA_MAX=2 \
    HOST=0.0.0.0 \
    DATA_DIR=/data \
    PUBLISHER_CENTER_DEMO=off
WORKDIR /app
COPY --from=packages /app ./
COPY --from=build /app/domain domain/
COPY --from=build /app/platform platform/
COPY --from=build /app/features features/
COPY --from=build /app/demo demo/
COPY --from=build /app/db db/
COPY --from=build /app/apps apps/
COPY --from=build /app/docs/dist docs/dist/
# What the embedded PostgreSQL otherwise does at its first start: the user of the image may not change the packages.
RUN node -e "import('./platform/postgres/native-postgres.ts').then(native => native.findNativePostgres())"
# Not root, with a number that Kubernetes can verify (runAsNonRoot). A new volume of Docker takes its owner from the folder that it
# is mounted on, and is root's where the image has none.
RUN groupadd --gid 10001 publisher-center \
 && useradd --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin publisher-center \
 && install -d -o 10001 -g 10001 -m 0700 /data /data/ingest /data/objects /data/audit
USER 10001:10001
VOLUME /data
EXPOSE 4000 4001 4002 4009
# The port of the service that runs: HEALTH_PORT=4001 for the API, 4009 (OPERATOR_PORT) for the worker.
HEALTHCHECK --interval=10s --timeout=4s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.HEALTH_PORT || process.env.PORT || 4000) + '/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "apps/server/commands/start.ts"]
CMD ["--services=web,api,worker"]
