import type { Config } from '@pc/platform/config.ts'
import { HttpError } from '@pc/platform/http/http-error.ts'
import type { Handler } from '@pc/platform/http/listener.ts'
import { type CollectedGauge, type Metrics, openMetrics } from '@pc/platform/metrics/metrics.ts'
import type { Observe } from '@pc/platform/metrics/observation.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { ControlStream } from './control-socket.ts'

/** Metrics and traces for the operator. */
export interface Telemetry {
  readonly observe: Observe
  readonly metrics: Metrics
  close(): Promise<void>
}

export async function openTelemetry(
  config: Config,
  services: readonly string[],
  database: Database,
): Promise<Telemetry> {
  const metrics = openMetrics(databaseGauges(database))
  if (config.tracesEndpoint === undefined) return { observe: metrics.observe, metrics, close: async () => {} }
  const { openTraces } = await import('@pc/platform/metrics/traces.ts')
  const traces = openTraces(config.tracesEndpoint, services)
  return {
    metrics,
    observe(observation) {
      metrics.observe(observation)
      traces.observe(observation)
    },
    close: () => traces.close(),
  }
}

/** `GET /metrics` and nothing else. */
export function metricsHandler(metrics: Metrics): Handler {
  return async (request, response, info) => {
    if (info.path !== '/metrics') throw new HttpError(404, 'not-found')
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new HttpError(405, 'method-not-allowed', { data: { allowed: 'GET' }, headers: { allow: 'GET, HEAD' } })
    const text = await metrics.text()
    response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' })
    response.end(request.method === 'HEAD' ? undefined : text)
  }
}

/** The same metrics over the control socket: `curl --unix-socket … http://control/metrics`. */
export function metricsStream(metrics: Metrics): ControlStream {
  return async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return false
    const text = await metrics.text()
    response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
    return true
  }
}

/** Gauges for silent failures: missing deliveries, failing jobs, months that stay open. */
function databaseGauges(database: Database): readonly CollectedGauge[] {
  const rows = <Row>(statement: ReturnType<typeof sql<Row>>) =>
    database.inScope(SYSTEM, async tx => (await statement.execute(tx)).rows, { statementTimeoutMs: 1_500 })
  return [
    {
      name: 'pc_ingest_last_applied_timestamp_seconds',
      help: 'When the last delivery of a dataset became visible.',
      labels: ['dataset'],
      async read() {
        const found = await rows(
          sql<{ dataset: string; at: number }>`
            select dataset, extract(epoch from max(applied_at))::float8 as at from ingest_batches
            where state = 'applied' group by dataset`,
        )
        return found.map(({ dataset, at }) => ({ labels: { dataset }, value: at }))
      },
    },
    {
      name: 'pc_ingest_batches',
      help: 'Deliveries in the ledger by their state.',
      labels: ['state'],
      async read() {
        const found = await rows(
          sql<{ state: string; n: number }>`select state, count(*)::float8 as n from ingest_batches group by state`,
        )
        return found.map(({ state, n }) => ({ labels: { state }, value: n }))
      },
    },
    {
      name: 'pc_jobs',
      help: 'Jobs by kind and state; `failed` ones have used up their retries.',
      labels: ['kind', 'state'],
      async read() {
        const found = await rows(
          sql<{ kind: string; state: string; n: number }>`
            select name as kind, state::text as state, count(*)::float8 as n from pgboss.job group by name, state`,
        )
        return found.map(({ kind, state, n }) => ({ labels: { kind, state }, value: n }))
      },
    },
    {
      name: 'pc_last_finalised_month',
      help: 'The last month that was finalised, as YYYYMM, by medium.',
      labels: ['medium'],
      async read() {
        const found = await rows(
          sql<{ medium: string; month: number }>`
            select medium_id::text as medium, max(month)::float8 as month from month_closings group by medium_id`,
        )
        return found.map(({ medium, month }) => ({ labels: { medium }, value: month }))
      },
    },
  ]
}
