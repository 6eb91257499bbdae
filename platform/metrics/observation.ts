/** What a listener tells of every answered request: counted as metrics, sent as a trace. */
export interface RequestObservation {
  readonly listener: string
  readonly method: string
  /** The first segment of the path: bounded, and without ids. */
  readonly area: string
  readonly status: number
  readonly startedAtMs: number
  readonly tookMs: number
  readonly requestId: string
  /** W3C trace context of the caller, when it sent one. */
  readonly traceparent: string | undefined
  /** What the handler noted, for example `graphql.field`; never values that a person typed. */
  readonly notes: ReadonlyMap<string, string>
}

export type Observe = (observation: RequestObservation) => void

/** Of paths like /gpc/assets/x.js; made-up paths share one name, so that nobody can make a metric grow. */
export function areaOf(path: string): string {
  const first = path.split('/', 2)[1] ?? ''
  return KNOWN_AREAS.has(first) ? `/${first}` : '/other'
}

const KNOWN_AREAS = new Set([
  '',
  'query',
  'exports',
  'gpc',
  'iam',
  'sso',
  'oidc',
  'docs',
  'ingest',
  'analytics',
  'metrics',
])
