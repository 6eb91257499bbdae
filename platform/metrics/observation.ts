/** What a listener reports of every answered request: counted as metrics, sent as a trace. */
export interface RequestObservation {
  readonly listener: string
  readonly method: string
  /** First segment of the path (see {@link areaOf}): a bounded set without ids. */
  readonly area: string
  readonly status: number
  readonly startedAtMs: number
  readonly tookMs: number
  readonly requestId: string
  /** W3C trace context of the caller, when it sent one. */
  readonly traceparent: string | undefined
  /** Notes of the handler, for example `graphql.field`; never user input. */
  readonly notes: ReadonlyMap<string, string>
}

export type Observe = (observation: RequestObservation) => void

/**
 * The metrics label for a path like /gpc/assets/x.js. Unknown paths share one label, so that requests cannot create new
 * time series.
 */
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
