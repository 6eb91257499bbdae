import { setTimeout as delay } from 'node:timers/promises'
import { type BenchServer, TurnedAway } from './bench-server.ts'
import { LIST_QUERIES, type ListQuery } from './list-queries.ts'
import { PUBLISHER_EMAIL, STAFF_EMAIL } from './prepare-store.ts'
import type { BenchQuery } from './report-queries.ts'
import { type Times, timesOf } from './run-times.ts'

/** Tokens are renewed after this time; they expire after ten minutes, and a bench may take longer. */
const TOKEN_LIFETIME_MS = 300_000

export class Reader {
  readonly #server: BenchServer
  #tokens: { readonly staff: string; readonly publisher: string; readonly since: number } | undefined
  constructor(server: BenchServer) {
    this.#server = server
  }

  async ask(query: BenchQuery, n: number): Promise<number> {
    const tokens = await this.#freshTokens()
    const token = query.reader === 'organization' ? tokens.publisher : tokens.staff
    const started = performance.now()
    await this.#server.ask(token, query.document, query.variables(n))
    return performance.now() - started
  }

  /** Sends a list query as staff. */
  async askList(query: ListQuery, n: number): Promise<number> {
    const { staff } = await this.#freshTokens()
    const started = performance.now()
    await this.#server.ask(staff, query.document, query.variables(n), query.api)
    return performance.now() - started
  }

  async #freshTokens() {
    if (!this.#tokens || performance.now() - this.#tokens.since > TOKEN_LIFETIME_MS) {
      this.#tokens = {
        staff: await this.#server.tokenOf(STAFF_EMAIL),
        publisher: await this.#server.tokenOf(PUBLISHER_EMAIL),
        since: performance.now(),
      }
    }
    return this.#tokens
  }
}

/** Requests before the measurement, so that code is compiled as in a server that has run for a while. */
const WARM_RUNS = 10

/** Measures each query, one request at a time. */
export async function measureAlone(
  reader: Reader,
  queries: readonly BenchQuery[],
  runs: number,
): Promise<ReadonlyMap<BenchQuery, Times>> {
  const times = new Map<BenchQuery, Times>()
  for (const query of queries) {
    const measured: number[] = []
    // The first one reads from disk; the others are answered from caches.
    for (let n = 0; n < WARM_RUNS; n += 1) await reader.ask(query, 0)
    for (let n = 1; n <= runs; n += 1) measured.push(await reader.ask(query, n))
    times.set(query, timesOf(measured))
  }
  return times
}

/** Measures the first page of each list, one request at a time. */
export async function measureFirstPages(
  reader: Reader,
  runs: number,
): Promise<{ readonly name: string; readonly times: Times }[]> {
  const lists: { name: string; times: Times }[] = []
  for (const query of LIST_QUERIES) {
    const measured: number[] = []
    await reader.askList(query, 0)
    for (let n = 1; n <= runs; n += 1) measured.push(await reader.askList(query, n))
    lists.push({ name: query.name, times: timesOf(measured) })
  }
  return lists
}

export interface Crowd {
  readonly readers: number
  readonly queriesPerSecond: number
  readonly times: Times
  /** Refused requests (Retry-After), which the reader repeats as the console does. */
  readonly turnedAway: number
  readonly byQuery: ReadonlyMap<BenchQuery, Times>
}

/** Many readers in parallel, each of which sends all queries in a different order. */
export async function measureCrowd(
  reader: Reader,
  queries: readonly BenchQuery[],
  readers: number,
  seconds: number,
): Promise<Crowd> {
  const byQuery = new Map<BenchQuery, number[]>(queries.map(query => [query, []]))
  const until = performance.now() + seconds * 1000
  const started = performance.now()
  let turnedAway = 0
  await Promise.all(
    Array.from({ length: readers }, async (_, index) => {
      for (let n = index * 7; performance.now() < until; n += 1) {
        const query = queries[(n * 31 + index) % queries.length]!
        try {
          byQuery.get(query)!.push(await reader.ask(query, n))
        } catch (error) {
          if (!(error instanceof TurnedAway)) throw error
          turnedAway += 1
          await delay(error.seconds * 1_000)
        }
      }
    }),
  )
  const all = [...byQuery.values()].flat()
  return {
    readers,
    queriesPerSecond: all.length / ((performance.now() - started) / 1000),
    times: timesOf(all),
    turnedAway,
    byQuery: new Map([...byQuery].map(([query, each]) => [query, timesOf(each)])),
  }
}
