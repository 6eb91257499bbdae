import type { SystemUnderTest } from './system-under-test.ts'

/** Every request is answered within this time (security, figure 10). */
export const ANSWER_MS = 15_000
/** After this time everything works again without a restart (security, figure 10). */
export const RECOVERY_MS = 10_000
export const FAULT_MS = Number(process.env.FAULT_SECONDS ?? 30) * 1_000
const EVERY_MS = 150

export interface Seen {
  readonly what: string
  /** 0: the connection broke without a response. */
  readonly status: number
  readonly tookMs: number
}

/** People at work: sends requests of every kind in turn, without waiting for responses. */
export class Traffic {
  readonly seen: Seen[] = []
  readonly acknowledged: string[] = []
  /** How often a program received its figures. */
  answeredPrograms = 0
  readonly #system: SystemUnderTest
  readonly #token: string
  readonly #name: string
  readonly #key: string | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #open = new Set<Promise<void>>()
  #sent = 0

  /** @param key of a publisher's program, which then sends requests as well */
  constructor(system: SystemUnderTest, token: string, name: string, key?: string) {
    this.#system = system
    this.#name = name
    this.#token = token
    this.#key = key
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#sent += 1
      const one = this.#send(this.#sent).finally(() => this.#open.delete(one))
      this.#open.add(one)
    }, EVERY_MS)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#open)
  }

  /** Responses that were too slow or had a wrong status. */
  get faults(): Seen[] {
    const isFault = ({ status, tookMs }: Seen) => tookMs > ANSWER_MS || ![200, 401, 429, 503].includes(status)
    return this.seen.filter(isFault)
  }

  /** For people: the number of each status, and the slowest response. */
  get summary(): string {
    const statuses = Object.entries(Object.groupBy(this.seen, one => one.status)).map(
      ([status, all]) => `${status}: ${all?.length}`,
    )
    const slowest = Math.round(Math.max(...this.seen.map(one => one.tookMs)))
    return `${this.seen.length} requests (${statuses.join(', ')}), slowest ${slowest} ms`
  }

  async #send(number: number): Promise<void> {
    const { origins } = this.#system
    const kinds = ['read', 'write', 'report', 'ready', 'sign-in', 'page', ...(this.#key ? ['program'] : [])] as const
    const what = kinds[number % kinds.length]!
    const started = performance.now()
    let status = 0
    try {
      if (what === 'ready') status = (await fetch(`${origins.insight}/readyz`)).status
      else if (what === 'page') status = (await fetch(`${origins.web}/gpc/config.json`)).status
      else if (what === 'sign-in')
        status = await postToSignIn(origins.web, 'sign-in', {
          email: `nobody${number}@example.jp`,
          password: 'wrong words here',
        })
      else status = await this.#ask(what, number)
    } catch {
      status = 0
    }
    this.seen.push({ what, status, tookMs: performance.now() - started })
  }

  async #ask(what: string, number: number): Promise<number> {
    const isReport = what === 'report' || what === 'program'
    const api = isReport ? 'insight' : 'iam'
    const name = `${this.#name} ${number}`
    const query = isReport
      ? `{ summaryStats(limit: 40, offset: 0, param: { from: "2026-10-01", to: "2026-10-31" }) { nodes { date } } }`
      : what === 'write'
        ? `mutation { createOrganization(name: "${name}") { id } }`
        : '{ viewer { uid } }'
    const { origins } = this.#system
    const answer = await fetch(`${origins[api]}/query`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${what === 'program' ? this.#key : this.#token}`,
      },
      body: JSON.stringify({ query }),
    })
    const text = await answer.text()
    if (what === 'program' && text.includes('"nodes"')) this.answeredPrograms += 1
    if (what === 'write' && text.includes('"id"')) this.acknowledged.push(name)
    return answer.status
  }
}

/** The status of a sign-in endpoint's response. */
export async function postToSignIn(web: string, name: string, body: object): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    origin: 'http://127.0.0.1:4990',
    'sec-fetch-site': 'same-origin',
  }
  const answer = await fetch(`${web}/sso/api/${name}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return answer.status
}

export const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Milliseconds until it works, or twice the limit. */
export async function recoveryMsOf(works: () => Promise<boolean>): Promise<number> {
  const endedAt = performance.now()
  while (!(await works().catch(() => false)) && performance.now() - endedAt < 2 * RECOVERY_MS) await pause(50)
  return performance.now() - endedAt
}
