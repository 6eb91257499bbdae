import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import readline from 'node:readline'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { ingestTestBed } from '@pc/testing/ingest-test-bed.ts'
import { SpareProcess } from '@pc/testing/spare-process.ts'
import { randomFrom } from '@pc/testing/stats-rows.ts'
import { afterAll, expect, test } from 'vitest'

/** Security, figure 6, asks for 500. */
const KILLS = Number(process.env.INGEST_KILLS ?? 50)
/** Kills that came between two imports are made up for by others, up to this. */
const MOST_CYCLES = KILLS * 3
const ROUNDS_PER_PROCESS = 1000
/** Recorded moments: the same in every run; FAULT_SEED tries others. */
const SEED = Number(process.env.FAULT_SEED ?? 20_261_120)

const bed = await ingestTestBed()
const importers = new SpareProcess(path.resolve(import.meta.dirname, '../../../testing/ingest-until-killed.ts'))
afterAll(async () => {
  importers.end()
  await bed.close()
})

interface Line {
  readonly visible?: Readonly<Record<string, string>>
  readonly redone?: boolean
  readonly start?: number
  readonly ack?: number
  readonly impressions?: number
}

/** How long a step takes on this machine at this moment: what the moments of the kills are fractions of. */
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

type Hit = 'opening' | 'importing' | 'between'

test(
  `${KILLS} kills in the middle of work: every acknowledged batch is there once, no half batch is ever visible`,
  async () => {
    const random = randomFrom(SEED)
    const opening = new Pace(300)
    const importing = new Pace(100)
    /** Article → impressions that it may show: the acknowledged value, or a later one that was under way. */
    const allowed = new Map<string, Set<string>>()
    const hits: Record<Hit, number> = { opening: 0, importing: 0, between: 0 }
    let round = 0
    let acknowledged = 0
    let finishedByRedo = 0
    const trail: string[] = []

    /** One process from its beginning to its end; without a kill, it only opens the store. */
    const live = async (killAfterMs?: { readonly starts: number; readonly ms: () => number }): Promise<Hit> => {
      const rounds = killAfterMs ? ROUNDS_PER_PROCESS : 0
      const child = importers.take([bed.databaseUrl, bed.dataDir, String(round), String(rounds)])
      const errors: Buffer[] = []
      child.stderr!.on('data', chunk => errors.push(chunk))
      const kill = () => child.kill('SIGKILL')
      const begunAt = performance.now()
      if (killAfterMs?.starts === 0) setTimeout(kill, killAfterMs.ms())
      let before: Readonly<Record<string, string>> = {}
      let startedAt = 0
      let starts = 0
      let doing: Hit = 'opening'
      for await (const line of linesOf(child)) {
        if (line.visible) {
          check(line.visible, allowed, Boolean(line.redone), trail)
          if (line.redone) {
            doing = 'between'
            opening.took(performance.now() - begunAt)
            if (JSON.stringify(before) !== JSON.stringify(line.visible)) finishedByRedo += 1
            for (const [article, shown] of Object.entries(line.visible)) allowed.set(article, new Set([shown]))
          } else before = line.visible
        }
        if (line.start !== undefined) {
          doing = 'importing'
          startedAt = performance.now()
          starts += 1
          round += 1
          const values = allowed.get(String(line.start)) ?? new Set(['none'])
          allowed.set(String(line.start), values.add(String(line.impressions)))
          if (starts === killAfterMs?.starts) setTimeout(kill, killAfterMs.ms())
        }
        if (line.ack !== undefined) {
          doing = 'between'
          importing.took(performance.now() - startedAt)
          acknowledged += 1
          allowed.set(String(line.ack), new Set([String(line.impressions)]))
        }
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      expect(Buffer.concat(errors).toString()).toBe('')
      return doing
    }

    const isDone = () => hits.opening + hits.importing >= KILLS && acknowledged > KILLS
    let cycles = 0
    for (; !isDone() && cycles < MOST_CYCLES; cycles += 1) {
      // One of eight while it opens the store or finishes what the last one left, the others while they import.
      const starts = random.chance(1 / 8) ? 0 : 1 + random.below(4)
      const moment = random.below(1_000) / 1_000
      const ms = () => (starts === 0 ? opening.fraction(moment) : importing.fraction(moment * 1.1))
      const hit = await live({ starts, ms })
      hits[hit] += 1
      trail.push(`cycle ${cycles}: import ${starts}, ${moment} of its time, ${hit}`)
    }
    await live()
    const states = await bed.context.database.inScope(SYSTEM, tx =>
      tx
        .selectFrom('ingestBatches')
        .select(['state', ({ fn }) => fn.countAll<bigint>().as('count')])
        .groupBy('state')
        .execute(),
    )
    console.warn(
      `${cycles} kills (seed ${SEED}), ${acknowledged} acknowledged, ${finishedByRedo} completed at the next start`,
      hits,
      states,
    )
    expect(hits.opening + hits.importing).toBeGreaterThanOrEqual(KILLS)
    expect(acknowledged).toBeGreaterThan(KILLS)
    expect(states.filter(({ state }) => state === 'received' || state === 'applying')).toEqual([])
  },
  120_000 + MOST_CYCLES * 30_000,
)

/** Figures are whole values of one batch; acknowledged ones are there before anything is redone. */
function check(
  visible: Readonly<Record<string, string>>,
  allowed: ReadonlyMap<string, ReadonlySet<string>>,
  isRedone: boolean,
  trail: readonly string[],
): void {
  const { publisher, month, ...articles } = visible
  const sum = Object.values(articles).reduce((total, shown) => total + BigInt(shown), 0n)
  const wrong = [...allowed]
    .filter(([article]) => article !== 'publisher' && article !== 'month')
    .filter(([article, values]) => !values.has(articles[article] ?? 'none'))
    .map(
      ([article, values]) => `article ${article} shows ${articles[article] ?? 'none'}, not ${[...values].join(' or ')}`,
    )
  const unknown = Object.keys(articles).filter(article => !allowed.has(article))
  const story = `redone ${isRedone}\n${trail.slice(-20).join('\n')}`
  expect({ publisher, month, wrong, unknown }, story).toEqual({
    publisher: String(sum),
    month: String(sum),
    wrong: [],
    unknown: [],
  })
}

async function* linesOf(child: ChildProcess): AsyncIterable<Line> {
  for await (const line of readline.createInterface({ input: child.stdout! })) yield JSON.parse(line) as Line
}
