import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import readline from 'node:readline'
import { fileURLToPath } from 'node:url'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { ingestTestBed } from '@pc/testing/ingest-test-bed.ts'
import { afterAll, expect, test } from 'vitest'

const KILLS = 50
const ROUNDS_PER_PROCESS = 1000
/** Recorded moments: the same in every run; FAULT_SEED tries others. */
const SEED = Number(process.env.FAULT_SEED ?? 20_261_120)

const bed = await ingestTestBed()
afterAll(() => bed.close())

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..')
const script = path.join(root, 'testing/ingest-until-killed.ts')

interface Line {
  readonly visible?: Readonly<Record<string, string>>
  readonly redone?: boolean
  readonly start?: number
  readonly ack?: number
  readonly impressions?: number
}

function* moments(seed: number): Generator<number> {
  let state = seed >>> 0
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    yield state / 2 ** 32
  }
}

test(`${KILLS} kills: every acknowledged batch is there once, no half batch is ever visible`, async () => {
  const url = bed.databaseUrl
  const moment = moments(SEED)
  /** Article → impressions that it may show: the acknowledged value, or a later one that was under way. */
  const allowed = new Map<string, Set<string>>()
  let round = 0
  let acknowledged = 0
  let finishedByRedo = 0
  const trail: string[] = []
  for (let kill = 0; kill <= KILLS; kill += 1) {
    const isLast = kill === KILLS
    const delayMs = Math.floor(moment.next().value * 700)
    const args = [script, url, bed.dataDir, String(round), String(isLast ? 0 : ROUNDS_PER_PROCESS)]
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let before: Readonly<Record<string, string>> = {}
    const errors: Buffer[] = []
    child.stderr.on('data', chunk => errors.push(chunk))
    for await (const line of linesOf(child)) {
      if (line.visible) {
        trail.push(`kill ${kill} after ${delayMs} ms: ${line.redone ? 'redone' : 'found'}`)
        check(line.visible, allowed, Boolean(line.redone), trail)
        if (line.redone) {
          if (JSON.stringify(before) !== JSON.stringify(line.visible)) finishedByRedo += 1
          for (const [article, shown] of Object.entries(line.visible)) allowed.set(article, new Set([shown]))
          // Sometimes while starting, mostly while importing.
          setTimeout(() => child.kill('SIGKILL'), delayMs)
        } else before = line.visible
      }
      if (line.start !== undefined) {
        round += 1
        const values = allowed.get(String(line.start)) ?? new Set(['none'])
        allowed.set(String(line.start), values.add(String(line.impressions)))
      }
      if (line.ack !== undefined) {
        acknowledged += 1
        allowed.set(String(line.ack), new Set([String(line.impressions)]))
      }
    }
    expect(Buffer.concat(errors).toString()).toBe('')
  }
  const states = await bed.context.database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('ingestBatches')
      .select(['state', ({ fn }) => fn.countAll<bigint>().as('count')])
      .groupBy('state')
      .execute(),
  )
  console.warn(`${KILLS} kills, ${acknowledged} acknowledged, ${finishedByRedo} completed at the next start`, states)
  expect(acknowledged).toBeGreaterThan(KILLS)
  expect(states.filter(({ state }) => state === 'received' || state === 'applying')).toEqual([])
})

/** Figures are whole values of one batch; acknowledged ones are there before anything is redone. */
function check(
  visible: Readonly<Record<string, string>>,
  allowed: ReadonlyMap<string, ReadonlySet<string>>,
  isRedone: boolean,
  trail: readonly string[],
): void {
  const { publisher, month, ...articles } = visible
  const sum = Object.values(articles).reduce((total, shown) => total + BigInt(shown), 0n)
  expect({ publisher, month }, trail.join('\n')).toEqual({ publisher: String(sum), month: String(sum) })
  for (const [article, values] of allowed) {
    if (article === 'publisher' || article === 'month') continue
    expect([...values], `article ${article}, redone ${isRedone}\n${trail.join('\n')}`).toContain(
      articles[article] ?? 'none',
    )
  }
  for (const article of Object.keys(articles)) expect(allowed.has(article), article).toBe(true)
}

async function* linesOf(child: ChildProcess): AsyncIterable<Line> {
  for await (const line of readline.createInterface({ input: child.stdout! })) yield JSON.parse(line) as Line
}
