import { randomUUID } from 'node:crypto'
import { type BenchServer, startBenchServer } from './bench-server.ts'
import { type ListSearch, listSearches, SEARCH_KINDS, type SearchKind, typedText } from './list-searches.ts'
import { LIST_SIZE, type ListTexts, prepareLists } from './prepare-lists.ts'
import { PUBLISHER_EMAIL, STAFF_EMAIL } from './prepare-store.ts'
import { type Times, timesOf } from './run-times.ts'

export interface ListRow {
  readonly list: string
  readonly reader: 'staff' | 'publisher'
  readonly times: Times
  /** By kind of typed text, with the largest number of hits. */
  readonly kinds: Readonly<Partial<Record<SearchKind, Times & { readonly mostFound: number }>>>
}
export interface CallRow {
  readonly call: string
  readonly times: Times
  /** Processor time of the server process per call, without PostgreSQL. */
  readonly cpuMs: number
}
export interface ListFigures {
  readonly searches: readonly ListRow[]
  readonly calls: readonly CallRow[]
}

/** Tokens are renewed after this time; they expire after ten minutes. */
const TOKEN_LIFETIME_MS = 300_000
const WARM_RUNS = 2

/**
 * Measures the search of every list, and the calls for a list, a record and a change, through the API with permissions
 * and row-level security.
 */
export async function measureLists(
  dataDir: string,
  port: number,
  { runs, only }: { readonly runs: number; readonly only: string | undefined },
  say: (text: string) => void,
): Promise<ListFigures> {
  const { folder, texts } = await prepareLists(dataDir, LIST_SIZE, say)
  const server = await startBenchServer(folder, port)
  try {
    const asker = new Asker(server)
    const calls = only === undefined || only === 'calls' ? await measureCalls(server, asker, say) : []
    return { calls, searches: await measureSearches(asker, texts, runs, only, say) }
  } finally {
    await server.stop()
  }
}

class Asker {
  readonly #server: BenchServer
  readonly #tokens = new Map<string, { readonly token: string; readonly since: number }>()
  constructor(server: BenchServer) {
    this.#server = server
  }

  async ask(email: string, document: string, variables: object, api: 'insight' | 'iam') {
    const known = this.#tokens.get(email)
    const fresh = known && performance.now() - known.since < TOKEN_LIFETIME_MS
    const token = fresh ? known.token : await this.#server.tokenOf(email)
    if (!fresh) this.#tokens.set(email, { token, since: performance.now() })
    const started = performance.now()
    const data = await this.#server.ask(token, document, variables, api)
    return { ms: performance.now() - started, data: data as Readonly<Record<string, unknown>> }
  }
}

async function measureSearches(
  asker: Asker,
  texts: ListTexts,
  runs: number,
  only: string | undefined,
  say: (text: string) => void,
): Promise<ListRow[]> {
  const rows: ListRow[] = []
  for (const search of listSearches(texts)) {
    if (only !== undefined && only !== search.name) continue
    for (const reader of ['staff', 'publisher'] as const) {
      const row = await measureSearch(asker, search, reader, runs)
      say(printSearch(row).join('\n'))
      rows.push(row)
    }
  }
  return rows
}

async function measureSearch(
  asker: Asker,
  search: ListSearch,
  reader: ListRow['reader'],
  runs: number,
): Promise<ListRow> {
  const email = reader === 'staff' ? STAFF_EMAIL : PUBLISHER_EMAIL
  const kinds: ListRow['kinds'][SearchKind][] = []
  const all: number[] = []
  for (const kind of SEARCH_KINDS) {
    const times: number[] = []
    let mostFound = 0
    for (let n = -WARM_RUNS; n < runs; n += 1) {
      const q = typedText(search, kind, n + WARM_RUNS)
      if (q === undefined) break
      const { ms, data } = await asker.ask(email, search.document, { q }, search.api)
      if (n < 0) continue
      times.push(ms)
      mostFound = Math.max(mostFound, foundIn(data[search.name]))
    }
    kinds.push(times.length > 0 ? { ...timesOf(times), mostFound } : undefined)
    all.push(...times)
  }
  const measured = SEARCH_KINDS.flatMap((kind, place) => (kinds[place] ? [[kind, kinds[place]] as const] : []))
  return { list: search.name, reader, times: timesOf(all), kinds: Object.fromEntries(measured) }
}

/** The total of a list, or the length of an answer without one. */
function foundIn(answer: unknown): number {
  return Array.isArray(answer) ? answer.length : (answer as { readonly total: number }).total
}

const AGREEMENT =
  'id name code mediumId organizationId organization { id name } isTerminated terminatedAt isPaymentDisabled createdAt updatedAt feePaidBy paymentTiming minimumRevenueType fixedRevenue minimumRevenue'
const PUBLISHER = 'id name kana enabled organizationId organization { id name } createdAt updatedAt'

const CALLS: readonly { readonly call: string; readonly document: string; variables(n: number): object }[] = [
  { call: 'signed in, nothing read', document: '{ __typename }', variables: () => ({}) },
  {
    call: 'list of 100 publishers with total',
    document: `query Q($offset: Int!) { publishers(limit: 100, offset: $offset) { total nodes { ${PUBLISHER} } } }`,
    variables: n => ({ offset: (n % 20) * 100 }),
  },
  {
    call: 'list of 100 agreements with total',
    document: `query Q($offset: Int!) { agreements(limit: 100, offset: $offset) { total nodes { ${AGREEMENT} } } }`,
    variables: n => ({ offset: (n % 20) * 100 }),
  },
  {
    call: 'one publisher',
    document: `query Q($id: ID!) { publisher(id: $id) { ${PUBLISHER} } }`,
    variables: n => ({ id: String(1 + ((n * 97) % LIST_SIZE.publishers)) }),
  },
  {
    call: 'one agreement with its terms',
    document: `query Q($id: ID!) { agreement(id: $id) { ${AGREEMENT} } }`,
    variables: n => ({ id: String(1 + ((n * 97) % 40_000)) }),
  },
  {
    call: 'what waits for staff, counted',
    document: '{ duties { kind count } }',
    variables: () => ({}),
  },
  {
    call: 'change of one publisher',
    document: `mutation Q($publisher: PublisherInput!, $key: String!) { upsertPublisher(publisher: $publisher, idempotencyKey: $key) { id name revision } }`,
    variables: n => ({
      publisher: { id: String(1 + ((n * 97) % LIST_SIZE.publishers)), notes: `計測 ${randomUUID()}` },
      key: randomUUID(),
    }),
  },
]

async function measureCalls(server: BenchServer, asker: Asker, say: (text: string) => void): Promise<CallRow[]> {
  const RUNS = 300
  const WARM = 100
  const rows: CallRow[] = []
  for (const { call, document, variables } of CALLS) {
    say(`${call} …`)
    for (let n = 0; n < WARM; n += 1) await asker.ask(STAFF_EMAIL, document, variables(n), 'insight')
    const cpuBefore = server.cpuMs()
    const times: number[] = []
    for (let n = 0; n < RUNS; n += 1)
      times.push((await asker.ask(STAFF_EMAIL, document, variables(WARM + n), 'insight')).ms)
    rows.push({ call, times: timesOf(times), cpuMs: (server.cpuMs() - cpuBefore) / RUNS })
  }
  return rows
}

const ms = (value: number) => value.toFixed(value < 10 ? 2 : 0)

export function printLists({ searches, calls }: ListFigures): string {
  const lines = calls.map(
    ({ call, times, cpuMs }) =>
      `${call.padEnd(36)} shortest ${ms(times.min)}  p50 ${ms(times.p50)}  p95 ${ms(times.p95)}  server's processor time ${ms(cpuMs)}`,
  )
  return ['lists, milliseconds through the API', ...lines, ...searches.flatMap(printSearch)].join('\n')
}

function printSearch({ list, reader, times, kinds }: ListRow): string[] {
  return [
    `${`${list}, ${reader}`.padEnd(36)} shortest ${ms(times.min)}  p50 ${ms(times.p50)}  p95 ${ms(times.p95)}`,
    ...Object.entries(kinds).map(
      ([kind, each]) =>
        `  ${kind.padEnd(12)} shortest ${ms(each.min)}  p50 ${ms(each.p50)}  p95 ${ms(each.p95)}  up to ${each.mostFound} found`,
    ),
  ]
}
