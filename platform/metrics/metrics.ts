import { performance } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Observe } from './observation.ts'

export interface Metrics {
  readonly observe: Observe
  /** In Prometheus' text format. */
  text(): Promise<string>
  readonly contentType: string
}

/** A gauge whose value is read at each scrape. */
export interface CollectedGauge {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
  readonly read: () => Promise<readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]>
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const READ_TIMEOUT_MS = 2_000

/**
 * Prometheus metrics of this process. The registry is its own and not the global one, because tests run several systems
 * in one process.
 */
export function openMetrics(gauges: readonly CollectedGauge[] = []): Metrics {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'pc_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['listener', 'method', 'area', 'status'],
    buckets: SECONDS,
    registers,
  })
  const operations = new Histogram({
    name: 'pc_graphql_operation_duration_seconds',
    help: 'The same for GraphQL, by the first field that was asked for.',
    labelNames: ['listener', 'field', 'outcome'],
    buckets: SECONDS,
    registers,
  })
  const failedReads = new Counter({
    name: 'pc_metric_read_failures_total',
    help: 'Gauges that could not be read in time.',
    labelNames: ['gauge'],
    registers,
  })
  const busy = busyShare()
  new Gauge({
    name: 'pc_event_loop_busy_ratio',
    help: 'Share of the last 15 to 30 seconds in which the thread that answers was busy, from 0 to 1.',
    registers,
    collect() {
      this.set(busy())
    },
  })
  for (const { name, help, labels = [], read } of gauges) {
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers,
      async collect() {
        this.reset()
        try {
          for (const one of await inTime(read())) this.set({ ...one.labels }, one.value)
        } catch {
          failedReads.inc({ gauge: name }) // a failing gauge must not hide the others
        }
      },
    })
  }
  return {
    observe({ listener, method, area, status, tookMs, notes }) {
      requests.observe({ listener, method, area, status: String(status) }, tookMs / 1000)
      const field = notes.get('graphql.field')
      if (field !== undefined)
        operations.observe({ listener, field, outcome: notes.get('graphql.outcome') ?? 'ok' }, tookMs / 1000)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

const WINDOW_MS = 15_000

/** Measured by a clock of its own: however often collectors ask, the window is the same. */
function busyShare(): () => number {
  let older = performance.eventLoopUtilization()
  let newer = older
  setInterval(() => {
    older = newer
    newer = performance.eventLoopUtilization()
  }, WINDOW_MS).unref()
  return () => performance.eventLoopUtilization(older).utilization
}

function inTime<T>(reading: Promise<T>): Promise<T> {
  reading.catch(() => {})
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('too slow')), READ_TIMEOUT_MS)
    reading.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
