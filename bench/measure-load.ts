import { randomFrom } from '@pc/testing/statistics/stats-rows.ts'
import { type BenchServer, type CpuTimes, startBenchServer } from './bench-server.ts'
import type { BenchSize } from './bench-size.ts'
import { LineClient } from './line-client.ts'
import { LIST_QUERIES } from './list-queries.ts'
import { loadUser, makeLoadUsers } from './load-users.ts'
import { type BenchQuery, benchQueries, mixedQueries } from './report-queries.ts'
import { type Times, timesOf } from './run-times.ts'

/**
 * Security, figures 12 and 13: simulated users who pause a second between two requests; for an overload ten times as
 * many. Half of the requests are reports and half lists. The load generator shares the processors with the server.
 */
export interface LoadOptions {
  readonly users: number
  readonly seconds: number
  readonly thinkMs: number
  /**
   * Share of reports for periods that screens offer (今月, 先月 …) and that are therefore the same for all users on a day.
   * The others have one of forty end days, so that answers are hardly ever cached.
   */
  readonly offeredDays: number
  readonly isOverload: boolean
  readonly port: number
}

export interface LoadFigures {
  readonly users: number
  readonly seconds: number
  readonly isOverload: boolean
  readonly offeredDays: number
  readonly requestsPerSecond: number
  /** Number of answers by status; 0: no answer. */
  readonly statuses: Readonly<Record<string, number>>
  /** Times of requests that were answered 200. */
  readonly all: Times & { readonly p99: number }
  readonly reports: Times
  readonly lists: Times
  readonly errorsInAnswers: number
  readonly withoutRetryAfter: number
  readonly rssMb: { readonly before: number; readonly highest: number }
  /** Processor time per request by part, including the load generator on the same machine. */
  readonly cpuMsPerRequest: CpuTimes & { readonly generatorMs: number }
  /** Time from the end of the load until ten requests in a row were answered within 500 ms. */
  readonly normalAfterMs: number
  readonly problems: readonly string[]
}

interface Seen {
  readonly status: number
  readonly ms: number
  readonly isReport: boolean
}
interface Requested {
  readonly api: 'insight' | 'iam'
  readonly document: string
  readonly variables: object
  readonly isReport: boolean
}

const TOKEN_LIFETIME_MS = 300_000
const NORMAL_MS = 500
const NORMAL_IN_A_ROW = 10
const WARM_UP_S = 5

export async function measureLoad(
  folder: string,
  size: BenchSize,
  options: LoadOptions,
  say: (text: string) => void,
): Promise<LoadFigures> {
  await makeLoadUsers(folder, options.users)
  const server = await startBenchServer(folder, options.port)
  try {
    const crowd = new Crowd(server, size, options)
    say(`${options.users} people sign in …`)
    await crowd.signIn()
    // One-time loading, compiling and caching must not count as growth.
    await crowd.run(WARM_UP_S, Math.min(options.users, 50))
    crowd.forget()
    const before = server.rssMb()
    let highest = before
    const watch = setInterval(() => (highest = Math.max(highest, server.rssMb())), 2_000)
    say(`${options.seconds} s …`)
    const since = { server: server.cpuTimes(), generator: process.cpuUsage() }
    await crowd.run(options.seconds, options.users)
    const cpu = cpuSince(server, since)
    clearInterval(watch)
    const normalAfterMs = await crowd.untilNormal()
    return crowd.figures({ before, highest: Math.max(highest, server.rssMb()) }, cpu, normalAfterMs)
  } finally {
    await server.stop()
  }
}

function cpuSince(
  server: BenchServer,
  since: { readonly server: CpuTimes; readonly generator: NodeJS.CpuUsage },
): LoadFigures['cpuMsPerRequest'] {
  const now = server.cpuTimes()
  const { user, system } = process.cpuUsage(since.generator)
  return {
    mainMs: now.mainMs - since.server.mainMs,
    threadsMs: now.threadsMs - since.server.threadsMs,
    postgresMs: now.postgresMs - since.server.postgresMs,
    generatorMs: (user + system) / 1000,
  }
}

class Crowd {
  readonly #server: BenchServer
  readonly #options: LoadOptions
  /** Clients of each user, one for each API. */
  readonly #clients: { readonly insight: LineClient; readonly iam: LineClient }[]
  readonly #queries: { readonly staff: readonly BenchQuery[]; readonly publisher: readonly BenchQuery[] }
  readonly #tokens: { token: string; since: number }[] = []
  #seen: Seen[] = []
  #errorsInAnswers = new Map<string, number>()
  #withoutRetryAfter = 0
  #problems = new Map<string, number>()
  #seconds = 0

  constructor(server: BenchServer, size: BenchSize, options: LoadOptions) {
    this.#server = server
    this.#options = options
    const { port, users } = options
    this.#clients = Array.from({ length: users }, () => ({
      insight: new LineClient(port + 1),
      iam: new LineClient(port + 2),
    }))
    const all = mixedQueries(benchQueries(size))
    this.#queries = {
      staff: all.filter(({ reader }) => reader !== 'organization'),
      publisher: all.filter(({ reader, name }) => reader === 'organization' && !name.endsWith('detail')),
    }
  }

  async signIn(): Promise<void> {
    for (let user = 0; user < this.#options.users; user += 1) await this.#tokenOf(user)
  }

  async #tokenOf(user: number): Promise<string> {
    const known = this.#tokens[user]
    if (known && performance.now() - known.since < TOKEN_LIFETIME_MS) return known.token
    const made = { token: await this.#server.tokenOf(loadUser(user).email), since: performance.now() }
    this.#tokens[user] = made
    return made.token
  }

  forget(): void {
    this.#seen = []
    this.#errorsInAnswers = new Map()
    this.#withoutRetryAfter = 0
    this.#problems = new Map()
  }

  async run(seconds: number, users: number): Promise<void> {
    this.#seconds = seconds
    const until = performance.now() + seconds * 1_000
    await Promise.all(Array.from({ length: users }, (_, user) => this.#live(user, users, until)))
  }

  async #live(user: number, users: number, until: number): Promise<void> {
    const random = randomFrom(user + 1)
    // Users start at different times.
    await pause((this.#options.thinkMs * user) / users)
    for (let n = 0; performance.now() < until; n += 1) {
      const days = random.chance(this.#options.offeredDays) ? 'offered' : 'own'
      await this.#ask(user, this.#question(user, user * 17 + n, random.chance(0.5), random.below(1_000), days))
      await pause(this.#options.thinkMs * (0.5 + random.below(1_000) / 1_000))
    }
  }

  #question(user: number, n: number, isReport: boolean, which: number, days: 'offered' | 'own'): Requested {
    if (!isReport) {
      const query = LIST_QUERIES[which % LIST_QUERIES.length]!
      return { api: query.api, document: query.document, variables: query.variables(n), isReport }
    }
    const fitting = loadUser(user).isStaff ? this.#queries.staff : this.#queries.publisher
    const query = fitting[which % fitting.length]!
    return { api: 'insight', document: query.document, variables: query.variables(n, days), isReport }
  }

  async #ask(user: number, requested: Requested): Promise<void> {
    const token = await this.#tokenOf(user).catch(() => '')
    const started = performance.now()
    const { status, retryAfter, body } = await this.#post(user, token, requested)
    this.#seen.push({ status, ms: performance.now() - started, isReport: requested.isReport })
    if (status === 200) {
      // This quoted name cannot occur inside of a text, where quotes are escaped.
      if (!body.includes('"errors":[')) return
      const text = body.toString('utf8')
      const code = /"errors":\[.*?"code":"([A-Z_]+)"/.exec(text)?.[1]
      this.#count(this.#errorsInAnswers, `${code}: ${text.slice(0, 200)}`)
      return
    }
    if (status === 429 || status === 503) {
      if (retryAfter === undefined) this.#withoutRetryAfter += 1
      // The console waits in the same way.
      else if (this.#options.isOverload) await pause(Number(retryAfter) * 1_000)
    } else this.#count(this.#problems, `${status}: ${body.toString('utf8', 0, 200)}`)
  }

  #count(counts: Map<string, number>, what: string): void {
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }

  #post(user: number, token: string, { api, document, variables }: Requested) {
    return this.#clients[user]![api].post(token, JSON.stringify({ query: document, variables }))
  }

  /** Sends a typical request repeatedly until answer times are normal again. */
  async untilNormal(): Promise<number> {
    const since = performance.now()
    let normalSince = since
    for (let inARow = 0; inARow < NORMAL_IN_A_ROW && performance.now() - since < 60_000; ) {
      const started = performance.now()
      const requested = this.#question(0, inARow, inARow % 2 === 0, 3, 'own')
      const { status } = await this.#post(0, await this.#tokenOf(0), requested)
      const isNormal = status === 200 && performance.now() - started <= NORMAL_MS
      if (isNormal && inARow === 0) normalSince = started
      inARow = isNormal ? inARow + 1 : 0
      if (!isNormal) await pause(20)
    }
    return normalSince - since
  }

  figures(rssMb: LoadFigures['rssMb'], cpu: LoadFigures['cpuMsPerRequest'], normalAfterMs: number): LoadFigures {
    for (const { insight, iam } of this.#clients) {
      insight.close()
      iam.close()
    }
    const { users, isOverload } = this.#options
    const answered = this.#seen.filter(({ status }) => status === 200)
    const of = (wanted: (seen: Seen) => boolean) => timesOf(answered.filter(wanted).map(({ ms }) => ms))
    const sorted = answered.map(({ ms }) => ms).toSorted((a, b) => a - b)
    const statuses: Record<string, number> = {}
    for (const { status } of this.#seen) statuses[status] = (statuses[status] ?? 0) + 1
    return {
      users,
      seconds: this.#seconds,
      isOverload,
      offeredDays: this.#options.offeredDays,
      requestsPerSecond: this.#seen.length / this.#seconds,
      statuses,
      all: { ...of(() => true), p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN },
      reports: of(({ isReport }) => isReport),
      lists: of(({ isReport }) => !isReport),
      errorsInAnswers: [...this.#errorsInAnswers.values()].reduce((sum, count) => sum + count, 0),
      withoutRetryAfter: this.#withoutRetryAfter,
      rssMb,
      cpuMsPerRequest: {
        mainMs: cpu.mainMs / this.#seen.length,
        threadsMs: cpu.threadsMs / this.#seen.length,
        postgresMs: cpu.postgresMs / this.#seen.length,
        generatorMs: cpu.generatorMs / this.#seen.length,
      },
      normalAfterMs,
      problems: [...this.#errorsInAnswers, ...this.#problems].map(([what, count]) => `${count} × ${what}`),
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
