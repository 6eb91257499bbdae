import { once } from 'node:events'
import path from 'node:path'
import readline from 'node:readline'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { ingestTestBed } from '@pc/testing/ingest-test-bed.ts'
import { SpareProcess } from '@pc/testing/spare-process.ts'
import { randomFrom } from '@pc/testing/stats-rows.ts'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { redoUnfinishedImports } from './redo-unfinished-imports.ts'
import { replayContents } from './replay-contents.ts'

const KILLS = Number(process.env.CONTENT_KILLS ?? 12)
/** More than are written in one statement. */
const ARTICLES = 11_000
const SEED = Number(process.env.FAULT_SEED ?? 20_261_120)

const bed = await ingestTestBed()
const importers = new SpareProcess(path.resolve(import.meta.dirname, '../../../testing/contents-until-killed.ts'))
afterAll(async () => {
  importers.end()
  await bed.close()
})

/** Titles of the articles that every round names, and the rounds whose own article is there. */
async function visible() {
  const { rows } = await bed.context.database.inScope(SYSTEM, tx =>
    sql<{ titles: string[] | null; newest: number | null; counted: bigint; kept: bigint }>`
      select array_agg(distinct title) filter (where article_id < 1000000) as titles,
        (max(article_id) filter (where article_id >= 1000000) - 1000000)::int as newest,
        count(*) as counted, app.count_medium_articles(null, null) as kept
      from medium_articles`.execute(tx),
  )
  return rows[0]!
}

test(
  `${KILLS} kills: the articles are those of one delivery, whole, and never older than the last acknowledged`,
  async () => {
    const random = randomFrom(SEED)
    let round = 0
    let acknowledged = -1
    /** The newest round that was seen or acknowledged: nothing older is ever seen again. */
    let shown = -1
    let inTheMiddle = 0
    let importMs = 800
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = importers.take([bed.databaseUrl, bed.dataDir, String(round), '1000', String(ARTICLES)])
      const errors: Buffer[] = []
      child.stderr!.on('data', chunk => errors.push(chunk))
      const after = 1 + random.below(2)
      const moment = random.below(1000) / 1000
      let seen = 0
      let at = performance.now()
      for await (const line of readline.createInterface({ input: child.stdout! })) {
        const done = Number(line)
        if (done >= 0) {
          acknowledged = done
          shown = done
          round = done + 1
          importMs = performance.now() - at
        }
        at = performance.now()
        seen += 1
        if (seen === after) setTimeout(() => child.kill('SIGKILL'), importMs * moment)
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      expect(Buffer.concat(errors).toString()).toBe('')
      const { titles, newest, counted, kept } = await visible()
      expect(kept).toBe(counted)
      // The round under way may have been written whole without having been acknowledged.
      expect([shown, round]).toContain(newest ?? -1)
      expect(titles).toEqual(newest === null ? null : [`round ${newest}`])
      if (newest !== null && newest > shown) inTheMiddle += 1
      shown = newest ?? -1
      round = Math.max(round, shown + 1)
    }
    await redoUnfinishedImports(bed.context)
    const states = await bed.context.database.inScope(SYSTEM, tx =>
      tx
        .selectFrom('ingestBatches')
        .select(['state', ({ fn }) => fn.countAll<bigint>().as('count')])
        .groupBy('state')
        .execute(),
    )
    expect(states.filter(({ state }) => state === 'received' || state === 'applying')).toEqual([])
    expect(await replayContents(bed.context, 'articles')).toMatchObject({ differences: 0 })
    console.warn(`${acknowledged + 1} acknowledged, ${inTheMiddle} written but not acknowledged`, states)
  },
  60_000 + KILLS * 30_000,
)
