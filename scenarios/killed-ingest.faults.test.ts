import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import readline from 'node:readline'
import { addDays } from '@pc/domain/month/day.ts'
import { createIngestKey } from '@pc/features/ingest/server/ingest-key-store.ts'
import { replayContents } from '@pc/features/ingest/server/publishing/replay-contents.ts'
import { systemClock, today } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { WarmProcess } from '@pc/testing/faults/warm-process.ts'
import { sampleOr } from '@pc/testing/sample-size.ts'
import { ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import { randomFrom } from '@pc/testing/statistics/stats-rows.ts'
import { addUser } from '@pc/testing/system/identity-server.ts'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'

/**
 * The system is killed while it receives deliveries: over HTTP with an API key, and by a person's upload. Then it
 * starts again as `npm start` does. Nothing acknowledged is lost, nothing exists half or twice, the sender repeats what
 * was not answered, and the next delivery works. Security, figure 6, asks for 500 kills.
 */
const KILLS = Number(process.env.INGEST_KILLS ?? 50)
/** Kills that came between two deliveries are made up for, up to this number of cycles. */
const MAX_CYCLES = KILLS * 3
/** Seed of the moments, the same in every run; FAULT_SEED tries others. */
const SEED = Number(process.env.FAULT_SEED ?? 20_261_120)
/** More rows than one statement writes. */
const ARTICLES = 11_000
/** First id of the articles that a single round delivers. */
const OF_ROUND = 1_000_000
const EMAIL = 'keiri@example.jp'
/** Every fourth; all of them in a whole run. */
const EVERY_NTH = sampleOr(4, 1)

const fixture = await ingestFixture()
await addUser(fixture.context.database, { email: EMAIL, roles: ['insight:admin'] })
const key = await fixture.context.database.inScope(SYSTEM, tx => createIngestKey(tx, 'network', new Date()))
const systems = new WarmProcess(path.resolve(import.meta.dirname, '../testing/system/ingest-test-process.ts'))
const settings = JSON.stringify({
  ...{ DATABASE_URL: fixture.databaseUrl, DATA_DIR: fixture.dataDir, STATS_THREADS: '2', STATS_MEMORY_LIMIT: '256MB' },
  ...{ PORT: '0', WEB_ORIGIN: 'http://127.0.0.1:4990' },
})
afterAll(async () => {
  systems.end()
  await fixture.close()
})

type Way = 'figures' | 'correction' | 'person' | 'articles'
const WAYS: readonly Way[] = ['figures', 'correction', 'person', 'articles']

/** One delivery, repeated unchanged until it is acknowledged. */
interface Delivery {
  readonly way: Way
  readonly round: number
}
const articleOf = ({ way, round }: Delivery) => (way === 'correction' ? 7 : 1_000 + round)
const impressionsOf = ({ way, round }: Delivery) => (way === 'correction' ? 100 + round : 20 + (round % 30))

/** In two months, so that a half-published one would show. */
const DAYS = [45, 10].map(ago => addDays(today(systemClock), -ago))

function contentOf(delivery: Delivery): string {
  const { way, round } = delivery
  if (way === 'articles') {
    const rows = Array.from({ length: ARTICLES }, (_, at) => {
      // One article of its own in every round, so that rows are inserted as well as changed.
      const id = at === ARTICLES - 1 ? OF_ROUND + round : at + 1
      return `${id},1,a${id},1,round ${round},https://news.example/${id},${DAYS[0]}T00:00:00Z\n`
    })
    return `article_id,medium_id,medium_article_id,publisher_id,title,url,published_at\n${rows.join('')}`
  }
  const rows = Array.from(
    { length: impressionsOf(delivery) },
    (_, at) =>
      `${DAYS[at % 2]}T00:00:${String(at % 60).padStart(2, '0')}Z,impression,1,1,article,${articleOf(delivery)}\n`,
  )
  return `timestamp,type,medium_id,publisher_id,kind,article_id\n${rows.join('')}`
}

interface Ready {
  readonly port: number
  readonly token: string
  readonly figures: Figures
}
type Figures = Readonly<Record<string, string>>

/**
 * Resolves when the delivery is acknowledged; throws when the connection ends before, or the response is another one.
 */
async function send({ port, token }: Ready, delivery: Delivery): Promise<void> {
  const origin = `http://127.0.0.1:${port}`
  const content = contentOf(delivery)
  const post = (where: string, secret: string, type: string, body: string) =>
    fetch(`${origin}${where}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': type },
      body,
    })
  const answered = async () => {
    if (delivery.way !== 'person') {
      const dataset = delivery.way === 'articles' ? 'articles' : 'events'
      const isNew = delivery.way !== 'correction' && delivery.round % 2 === 0
      const batchId = isNew || delivery.way === 'figures' ? `${delivery.way}-${delivery.round}` : `corrected-${dataset}`
      const answer = await post(`/ingest/v1/${dataset}?batchId=${batchId}`, key.secret, 'text/csv', content)
      return answer.text()
    }
    const kept = (await (await post('/ingest/uploads', token, 'text/csv', content)).json()) as { sha256?: string }
    const options = JSON.stringify({ dataset: 'events', name: `round ${delivery.round}.csv` })
    const published = await post(`/ingest/uploads/${kept.sha256}/publish`, token, 'application/json', options)
    return (await published.text()).trim().split('\n').at(-1) ?? ''
  }
  const text = await answered()
  if (!/"status":"(applied|unchanged)"/.test(text)) throw new UnexpectedAnswer(text.slice(0, 500))
}
class UnexpectedAnswer extends Error {}

/** The figures that may be visible, given the deliveries so far. */
class Books {
  /** Article → impressions that it may show: the acknowledged value, or a later one that was being delivered. */
  readonly #allowed = new Map<string, Set<string>>()
  /** The newest round of articles that was seen or acknowledged; nothing older may be seen again. */
  #shownRound = -1
  #sentRound = -1
  acknowledged = 0
  finishedByStart = 0
  #left: Figures = {}

  begins(delivery: Delivery): void {
    if (delivery.way === 'articles') this.#sentRound = delivery.round
    else {
      const article = String(articleOf(delivery))
      const values = this.#allowed.get(article) ?? new Set(['none'])
      this.#allowed.set(article, values.add(String(impressionsOf(delivery))))
    }
  }

  ends(delivery: Delivery): void {
    this.acknowledged += 1
    if (delivery.way === 'articles') this.#shownRound = delivery.round
    else this.#allowed.set(String(articleOf(delivery)), new Set([String(impressionsOf(delivery))]))
  }

  /** Before the start: acknowledged figures exist without any repair, and no half delivery does. */
  async isLeft(figures: Figures, trail: readonly string[]): Promise<void> {
    this.#left = figures
    this.#check(figures, `left\n${trail.join('\n')}`)
    const { titles, newest, counted, kept } = await articles()
    expect(kept).toBe(counted)
    expect([this.#shownRound, this.#sentRound]).toContain(newest ?? -1)
    expect(titles).toEqual(newest === null ? null : [`round ${newest}`])
    this.#shownRound = newest ?? -1
  }

  /** After the start no delivery is unfinished. */
  isStarted(figures: Figures, trail: readonly string[]): void {
    this.#check(figures, `started\n${trail.join('\n')}`)
    if (JSON.stringify(this.#left) !== JSON.stringify(figures)) this.finishedByStart += 1
    for (const article of this.#allowed.keys()) {
      const shown = figures[article]
      if (shown !== undefined) this.#allowed.set(article, new Set([shown]))
      else this.#allowed.delete(article)
    }
  }

  #check({ publisher, month, ...of }: Figures, story: string): void {
    const sum = Object.values(of).reduce((total, shown) => total + BigInt(shown), 0n)
    const wrong = [...this.#allowed].flatMap(([article, values]) =>
      values.has(of[article] ?? 'none')
        ? []
        : [`article ${article} shows ${of[article] ?? 'none'}, not ${[...values].join(' or ')}`],
    )
    const unknown = Object.keys(of).filter(article => !this.#allowed.has(article))
    expect({ publisher, month, wrong, unknown }, story).toEqual({
      ...{ publisher: String(sum), month: String(sum) },
      ...{ wrong: [], unknown: [] },
    })
  }
}

/** Titles of the articles that every round delivers, and the newest round whose own article exists. */
async function articles() {
  const { rows } = await fixture.context.database.inScope(SYSTEM, tx =>
    sql<{ titles: string[] | null; newest: number | null; counted: bigint; kept: bigint }>`
      select array_agg(distinct title) filter (where article_id < ${OF_ROUND}) as titles,
        (max(article_id) filter (where article_id >= ${OF_ROUND}) - ${OF_ROUND})::int as newest,
        count(*) as counted, app.count_medium_articles(null, null) as kept
      from medium_articles`.execute(tx),
  )
  return rows[0]!
}

/** How long each step currently takes on this machine; kills happen at fractions of it. */
class Pace {
  #ms: number
  constructor(guessMs: number) {
    this.#ms = guessMs
  }
  took(ms: number): void {
    this.#ms = this.#ms * 0.7 + ms * 0.3
  }
  fraction(of: number): number {
    return this.#ms * of
  }
}

type Hit = 'starting' | 'delivering' | 'between'
interface Kill {
  /** The delivery during which the kill happens; 0: while the system starts. */
  readonly nth: number
  /** As a fraction of the time that such a step takes. */
  readonly moment?: number
  /** Or the number of the statement after the start. */
  readonly statement?: number
}

const books = new Books()
const starting = new Pace(2_000)
const paces = new Map(WAYS.map(way => [way, new Pace(way === 'articles' ? 1_500 : 400)]))
const trail: string[] = []
/** Prints a line, for people who wait for the test. */
function say(line: string): void {
  trail.push(line)
  process.stdout.write(`${line}, ${books.acknowledged} acknowledged\n`)
}
let round = 0
let unanswered: Delivery | undefined

/** Runs one system from start to end: it receives what was not answered, then `ways` in turn. */
async function live(ways: readonly Way[], kill?: Kill): Promise<Hit> {
  const child = systems.take([settings, EMAIL, String(kill?.statement ?? 0)])
  const errors: Buffer[] = []
  child.stderr!.on('data', chunk => errors.push(chunk))
  const begunAt = performance.now()
  const killIn = (pace: Pace) =>
    void (kill?.moment !== undefined && setTimeout(() => child.kill('SIGKILL'), pace.fraction(kill.moment)))
  if (kill?.nth === 0) killIn(starting)
  const ready = await readyOf(child)
  let hit: Hit = 'starting'
  if (!ready && kill?.nth !== 0) throw new Error(`it does not start: ${Buffer.concat(errors)}`)
  if (ready) {
    starting.took(performance.now() - begunAt)
    hit = 'between'
    try {
      let nth = 0
      for (const way of [unanswered, ...ways]) {
        if (way === undefined) continue
        nth += 1
        const delivery = typeof way === 'string' ? { way, round: round++ } : way
        unanswered = delivery
        hit = 'delivering'
        books.begins(delivery)
        const pace = paces.get(delivery.way)!
        const sentAt = performance.now()
        if (nth === kill?.nth) killIn(pace)
        await send(ready, delivery)
        pace.took(performance.now() - sentAt)
        books.ends(delivery)
        unanswered = undefined
        hit = 'between'
      }
    } catch (error) {
      if (error instanceof UnexpectedAnswer || !kill) throw error
    }
  }
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  expect(Buffer.concat(errors).toString()).toBe('')
  return hit
}

/** Undefined: it was killed before it was ready. */
async function readyOf(child: ChildProcess): Promise<Ready | undefined> {
  for await (const line of readline.createInterface({ input: child.stdout! })) {
    const { left, ready } = JSON.parse(line) as { left?: Figures; ready?: Ready }
    if (left) await books.isLeft(left, trail.slice(-20))
    if (!ready) continue
    books.isStarted(ready.figures, trail.slice(-20))
    return ready
  }
  return undefined
}

async function unsettled() {
  const states = await fixture.context.database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('ingestBatches')
      .select(['state', ({ fn }) => fn.countAll<bigint>().as('count')])
      .groupBy('state')
      .execute(),
  )
  return states.filter(({ state }) => state === 'received' || state === 'applying' || state === 'failed')
}

test(
  `${KILLS} kills at random moments: every acknowledged delivery is there once, and the next one works`,
  async () => {
    const random = randomFrom(SEED)
    const hits: Record<Hit, number> = { starting: 0, delivering: 0, between: 0 }
    let cycles = 0
    for (; hits.starting + hits.delivering < KILLS && cycles < MAX_CYCLES; cycles += 1) {
      // One kill in eight comes while the system starts or finishes earlier work, the others during deliveries.
      const nth = random.chance(1 / 8) ? 0 : 1 + random.below(3)
      const moment = (random.below(1_000) / 1_000) * 1.1
      const ways = Array.from({ length: 3 }, () => random.pick(WAYS))
      const hit = await live(ways, { nth, moment })
      hits[hit] += 1
      say(`cycle ${cycles}: ${ways}, delivery ${nth}, ${moment.toFixed(2)} of its time, ${hit}`)
    }
    await live(WAYS)
    console.warn(
      `${cycles} kills (seed ${SEED}), ${books.acknowledged} acknowledged, ${books.finishedByStart} completed at the next start`,
      hits,
    )
    expect(hits.starting + hits.delivering).toBeGreaterThanOrEqual(KILLS)
    expect(books.acknowledged).toBeGreaterThan(KILLS / 2)
    expect(await unsettled()).toEqual([])
  },
  120_000 + MAX_CYCLES * 60_000,
)

test(
  'a kill at statement after statement of a delivery, of every way in which one comes',
  async () => {
    const before = books.acknowledged
    const kills: string[] = []
    for (const way of WAYS) {
      for (let statement = 1; ; statement += EVERY_NTH) {
        const hit = await live([way], { nth: 1, statement })
        say(`statement ${statement} of ${way}: ${hit}`)
        if (hit === 'between') {
          kills.push(`${(statement - 1) / EVERY_NTH} of ${way}`)
          break
        }
        // The next system receives what was not answered.
        await live([])
      }
    }
    await live(WAYS)
    console.warn(
      `kills at every ${EVERY_NTH}th statement: ${kills.join(', ')}; ${books.acknowledged - before} acknowledged`,
    )
    expect(await unsettled()).toEqual([])
    expect(await replayContents(fixture.context, 'articles')).toMatchObject({ differences: 0 })
  },
  60 * 60_000,
)
