import http from 'node:http'
import { randomFrom } from '@pc/testing/stats-rows.ts'
import { type BenchServer, startBenchServer } from './bench-server.ts'
import type { BenchSize } from './bench-size.ts'
import { LIST_QUERIES } from './list-queries.ts'
import { loadUser, makeLoadUsers } from './load-users.ts'
import { type Times, timesOf } from './percentile.ts'
import { benchQueries } from './report-queries.ts'

/**
 * Security, figures 12 and 13: so many people with a second to think between two questions; then ten times as many.
 * They ask what the screens ask: half of it reports, half lists. The generator shares the processors with the server.
 */
export interface LoadOptions {
  readonly users: number
  readonly seconds: number
  readonly thinkMs: number
  readonly isOverload: boolean
  readonly port: number
}

export interface LoadFigures {
  readonly users: number
  readonly seconds: number
  readonly isOverload: boolean
  readonly requestsPerSecond: number
  /** Status → how often; 0: no answer. */
  readonly statuses: Readonly<Record<string, number>>
  /** Of the requests that were answered 200. */
  readonly all: Times & { readonly p99: number }
  readonly reports: Times
  readonly lists: Times
  readonly errorsInAnswers: number
  readonly withoutRetryAfter: number
  readonly rssMb: { readonly before: number; readonly highest: number }
  /** Of the server's own process, without PostgreSQL. */
  readonly cpuMsPerRequest: number
  /** From the end of the load until ten questions in a row were answered within 500 ms. */
  readonly normalAfterMs: number
  readonly problems: readonly string[]
}

interface Seen {
  readonly status: number
  readonly ms: number
  readonly isReport: boolean
}
interface Asked {
  readonly api: 'insight' | 'iam'
  readonly document: string
  readonly variables: object
  readonly isReport: boolean
}

const TOKEN_LIVES_MS = 300_000
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
    // What is loaded, compiled and cached once is no growth.
    await crowd.run(WARM_UP_S, Math.min(options.users, 50))
    crowd.forget()
    const before = server.rssMb()
    let highest = before
    const watch = setInterval(() => (highest = Math.max(highest, server.rssMb())), 2_000)
    say(`${options.seconds} s …`)
    const cpuBefore = server.cpuMs()
    await crowd.run(options.seconds, options.users)
    const cpuMs = server.cpuMs() - cpuBefore
    clearInterval(watch)
    const normalAfterMs = await crowd.untilNormal()
    return crowd.figures({ before, highest: Math.max(highest, server.rssMb()) }, cpuMs, normalAfterMs)
  } finally {
    await server.stop()
  }
}

class Crowd {
  readonly #server: BenchServer
  readonly #size: BenchSize
  readonly #options: LoadOptions
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  readonly #tokens: { token: string; since: number }[] = []
  #seen: Seen[] = []
  #errorsInAnswers = new Map<string, number>()
  #withoutRetryAfter = 0
  #problems = new Map<string, number>()
  #seconds = 0

  constructor(server: BenchServer, size: BenchSize, options: LoadOptions) {
    this.#server = server
    this.#size = size
    this.#options = options
  }

  async signIn(): Promise<void> {
    for (let user = 0; user < this.#options.users; user += 1) await this.#tokenOf(user)
  }

  async #tokenOf(user: number): Promise<string> {
    const known = this.#tokens[user]
    if (known && performance.now() - known.since < TOKEN_LIVES_MS) return known.token
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
    // They do not all come in the same moment.
    await pause((this.#options.thinkMs * user) / users)
    for (let n = 0; performance.now() < until; n += 1) {
      await this.#ask(user, this.#question(user, user * 17 + n, random.chance(0.5), random.below(1_000)))
      await pause(this.#options.thinkMs * (0.5 + random.below(1_000) / 1_000))
    }
  }

  #question(user: number, n: number, isReport: boolean, which: number): Asked {
    if (!isReport) {
      const query = LIST_QUERIES[which % LIST_QUERIES.length]!
      return { api: query.api, document: query.document, variables: query.variables(n), isReport }
    }
    const { isStaff } = loadUser(user)
    const fitting = benchQueries(this.#size).filter(({ reader, name }) =>
      isStaff ? reader !== 'organization' : reader === 'organization' && !name.endsWith('detail'),
    )
    const query = fitting[which % fitting.length]!
    return { api: 'insight', document: query.document, variables: query.variables(n), isReport }
  }

  async #ask(user: number, asked: Asked): Promise<void> {
    const token = await this.#tokenOf(user).catch(() => '')
    const started = performance.now()
    const { status, retryAfter, text } = await this.#post(token, asked)
    this.#seen.push({ status, ms: performance.now() - started, isReport: asked.isReport })
    if (status === 200) {
      const code = /"errors":\[.*?"code":"([A-Z_]+)"/.exec(text)?.[1]
      if (code) this.#count(this.#errorsInAnswers, `${code}: ${text.slice(0, 200)}`)
      return
    }
    if (status === 429 || status === 503) {
      if (retryAfter === undefined) this.#withoutRetryAfter += 1
      // As the console does it.
      else if (this.#options.isOverload) await pause(Number(retryAfter) * 1_000)
    } else this.#count(this.#problems, `${status}: ${text.slice(0, 200)}`)
  }

  #count(counts: Map<string, number>, what: string): void {
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }

  #post(token: string, { api, document, variables }: Asked) {
    const body = JSON.stringify({ query: document, variables })
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      authorization: `Bearer ${token}`,
    }
    const port = this.#options.port + (api === 'insight' ? 1 : 2)
    return new Promise<{ status: number; retryAfter: string | undefined; text: string }>(resolve => {
      const failed = (error: Error) => resolve({ status: 0, retryAfter: undefined, text: error.message })
      const request = http.request(
        { agent: this.#agent, port, host: '127.0.0.1', path: '/query', method: 'POST', headers },
        answer => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', failed)
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              retryAfter: answer.headers['retry-after'],
              text: Buffer.concat(chunks).toString('utf8'),
            }),
          )
        },
      )
      request.on('error', failed)
      request.end(body)
    })
  }

  /** One person asks what a screen asks, again and again, until it is as usual. */
  async untilNormal(): Promise<number> {
    const since = performance.now()
    let normalSince = since
    for (let inARow = 0; inARow < NORMAL_IN_A_ROW && performance.now() - since < 60_000; ) {
      const started = performance.now()
      const asked = this.#question(0, inARow, inARow % 2 === 0, 3)
      const { status } = await this.#post(await this.#tokenOf(0), asked)
      const isNormal = status === 200 && performance.now() - started <= NORMAL_MS
      if (isNormal && inARow === 0) normalSince = started
      inARow = isNormal ? inARow + 1 : 0
      if (!isNormal) await pause(20)
    }
    return normalSince - since
  }

  figures(rssMb: LoadFigures['rssMb'], cpuMs: number, normalAfterMs: number): LoadFigures {
    this.#agent.destroy()
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
      requestsPerSecond: this.#seen.length / this.#seconds,
      statuses,
      all: { ...of(() => true), p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN },
      reports: of(({ isReport }) => isReport),
      lists: of(({ isReport }) => !isReport),
      errorsInAnswers: [...this.#errorsInAnswers.values()].reduce((sum, count) => sum + count, 0),
      withoutRetryAfter: this.#withoutRetryAfter,
      rssMb,
      cpuMsPerRequest: cpuMs / this.#seen.length,
      normalAfterMs,
      problems: [...this.#errorsInAnswers, ...this.#problems].map(([what, count]) => `${count} × ${what}`),
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

/** What the figures ask for, beside what was measured. */
export function printLoad(figures: LoadFigures): string {
  const { all, reports, lists, statuses, rssMb } = figures
  const ms = (value: number) => `${Math.round(value)} ms`
  const verdicts = figures.isOverload ? overloadVerdicts(figures) : loadVerdicts(figures)
  return [
    `${figures.users} people, ${figures.seconds} s: ${figures.requestsPerSecond.toFixed(0)} requests/s; ${Object.entries(
      statuses,
    )
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ')}`,
    `answered: p50 ${ms(all.p50)}, p95 ${ms(all.p95)}, p99 ${ms(all.p99)}, longest ${ms(all.max)}`,
    `reports:  p50 ${ms(reports.p50)}, p95 ${ms(reports.p95)}; lists: p50 ${ms(lists.p50)}, p95 ${ms(lists.p95)}`,
    `memory of the process tree: ${Math.round(rssMb.before)} MB, at most ${Math.round(rssMb.highest)} MB; processor time of the server ${figures.cpuMsPerRequest.toFixed(1)} ms per request; normal again after ${ms(figures.normalAfterMs)}`,
    ...verdicts.map(({ text, holds }) => `${holds ? '✓' : '✗'} ${text}`),
    ...figures.problems.slice(0, 10),
  ].join('\n')
}

interface Verdict {
  readonly text: string
  readonly holds: boolean
}

function loadVerdicts({ all, reports, statuses, rssMb, errorsInAnswers }: LoadFigures): Verdict[] {
  const failed = Object.entries(statuses).reduce((sum, [status, count]) => sum + (status === '200' ? 0 : count), 0)
  return [
    { text: 'p95 at most 500 ms', holds: all.p95 <= 500 },
    { text: 'p99 at most 1,500 ms', holds: all.p99 <= 1_500 },
    { text: 'reports p95 at most 1,000 ms', holds: reports.p95 <= 1_000 },
    { text: 'every request answered 200', holds: failed === 0 },
    { text: 'no error in an answer', holds: errorsInAnswers === 0 },
    { text: 'memory under twice as much', holds: rssMb.highest < 2 * rssMb.before },
  ]
}

function overloadVerdicts({ statuses, withoutRetryAfter, normalAfterMs, errorsInAnswers }: LoadFigures): Verdict[] {
  return [
    {
      text: 'only 200, 429 and 503',
      holds: Object.keys(statuses).every(status => ['200', '429', '503'].includes(status)),
    },
    { text: 'every 429 and 503 with Retry-After', holds: withoutRetryAfter === 0 },
    { text: 'no error in an answer', holds: errorsInAnswers === 0 },
    { text: 'normal again within a second', holds: normalAfterMs <= 1_000 },
  ]
}

/** Whether all the figures hold. */
export function holdsLoad(figures: LoadFigures): boolean {
  return (figures.isOverload ? overloadVerdicts(figures) : loadVerdicts(figures)).every(({ holds }) => holds)
}
