import { day } from '@pc/domain/month/day.ts'
import { randomSource } from '@pc/domain/settlement/random-month.ts'
import { type Dataset, EARLIEST_DAY } from '@pc/features/ingest/server/checking/dataset-columns.ts'
import { type ImportOutcome, importBatch } from '@pc/features/ingest/server/import-batch.ts'
import type { IngestContext } from '@pc/features/ingest/server/ingest-context.ts'
import type { IngestRefusalCode } from '@pc/features/ingest/server/ingest-refusal.ts'
import { abandonBatch } from '@pc/features/ingest/server/publishing/abandon-batch.ts'
import { redoUnfinishedImports } from '@pc/features/ingest/server/publishing/redo-unfinished-imports.ts'
import { articlesCondition, videosCondition } from '@pc/features/reports/content-condition.ts'
import { dashboardCondition } from '@pc/features/reports/dashboard-condition.ts'
import { rankingCondition } from '@pc/features/reports/ranking-condition.ts'
import { today } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { sampleOr } from '@pc/testing/sample-size.ts'
import { startClickHouseEngine } from '@pc/testing/statistics/clickhouse-engine.ts'
import {
  type DeliveredWorld,
  type ExtremeDelivery,
  extremeDelivery,
} from '@pc/testing/statistics/extreme-deliveries.ts'
import { figuresOf } from '@pc/testing/statistics/ingest-fixture.ts'
import { openTestDuckDb, STATS_ENGINES } from '@pc/testing/statistics/stats-engines.ts'
import { rootFields, selection } from '@pc/testing/system/sample-requests.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { isEnumType } from 'graphql'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

/**
 * Deliveries at the edges of what is allowed, corrections of them, and some that a process leaves half way: each is applied
 * or refused with a reason, and afterwards other deliveries, starts, reports and files work.
 * `EXTREME_DELIVERIES=10000 EXTREME_SEED=1` makes more of them.
 */

/** ClickHouse in a process of its own takes ten times as long for small ones. */
const DELIVERIES = (engine: string) =>
  Number(process.env.EXTREME_DELIVERIES ?? (engine === 'duckdb' ? sampleOr(12, 1_000) : sampleOr(2, 250)))
const SEED = Number(process.env.EXTREME_SEED ?? 20_261_124)
/** Then a new system: in a full one most deliveries would be refused. */
const PER_SYSTEM = 250
const PUBLISHERS = 12

/** Reasons that a delivery of right values can have. Wrong rows and a store that cannot take them are none. */
const REASONS: ReadonlySet<IngestRefusalCode> = new Set([
  'ingest/too-great',
  'ingest/overlap',
  'ingest/same-content',
  'ingest/too-large',
])

test.each(STATS_ENGINES)(
  'extreme deliveries on %s: applied or refused, and everything goes on',
  async engine => {
    const deliveries = DELIVERIES(engine)
    const counts = new Map<string, number>()
    for (let from = 0; from < deliveries; from += PER_SYSTEM) {
      await inSystem(engine === 'clickhouse', async system => {
        await deliver(system, from, Math.min(deliveries, from + PER_SYSTEM), counts)
        await reportsAnswer(system)
        if (engine === 'duckdb') await lostStoreComesBack(system)
      })
      const summary = [...counts].toSorted().map(([what, count]) => `${count} ${what}`)
      const done = Math.min(deliveries, from + PER_SYSTEM)
      process.stdout.write(`${done} extreme deliveries on ${engine} (seed ${SEED}): ${summary.join(', ')}\n`)
    }
    expect(counts.get('applied')).toBeGreaterThan(deliveries / 4)
  },
  120_000 + DELIVERIES('') * 5_000,
)

async function inSystem(isOnClickHouse: boolean, work: (system: SystemUnderTest) => Promise<void>): Promise<void> {
  const engine = isOnClickHouse && !process.env.CLICKHOUSE_URL ? await startClickHouseEngine() : undefined
  const server = engine?.url ?? (isOnClickHouse ? process.env.CLICKHOUSE_URL : undefined)
  const clickhouseUrl = server && new URL(`/extreme_${process.pid}`, server).href
  const system = await startSystemUnderTest({}, clickhouseUrl ? { clickhouseUrl } : {})
  try {
    await work(system)
  } finally {
    await system.close()
    await engine?.stop()
  }
}

async function deliver(system: SystemUnderTest, from: number, until: number, counts: Map<string, number>) {
  const faults: unknown[] = []
  const context: IngestContext = { ...system.dependencies.ingest.context, reportFailure: error => faults.push(error) }
  const world = await worldOf(system, context)
  const [others = 0n, ...publisherIds] = world.publisherIds
  const random = randomSource(SEED + from)
  const known = new Map<Dataset, string[]>()
  for (let number = from; number < until; number += 1) {
    const delivery = await extremeDelivery(random, { ...world, publisherIds }, known, number)
    const outcome = await take(context, delivery)
    const kind = outcome.kind === 'refused' ? `refused (${outcome.refusal.code})` : outcome.kind
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    if (number % 10 === 9) {
      await withdraw(context, random.percent(50))
      expect(await small(context, others, number), delivery.about).toMatchObject({ kind: 'applied' })
      expect(await unsettled(context), delivery.about).toEqual([])
    }
    expect(faults, delivery.about).toEqual([])
  }
  expect(await redoUnfinishedImports(context)).toMatchObject({ finished: [], failed: [], repaired: [] })
}

async function worldOf({ dependencies, rows }: SystemUnderTest, { clock }: IngestContext): Promise<DeliveredWorld> {
  return dependencies.database.inScope(SYSTEM, async tx => {
    const publishers = Array.from({ length: PUBLISHERS }, (_, at) => ({
      organizationId: rows.a.organizationId,
      name: `極端なパブリッシャー${at}`,
    }))
    const made = await tx.insertInto('publishers').values(publishers).returning('id').execute()
    const media = await tx.selectFrom('media').select('id').execute()
    return {
      mediumIds: media.map(({ id }) => id),
      publisherIds: made.map(({ id }) => id),
      nowMs: clock.now(),
      today: today(clock),
    }
  })
}

async function* inOnePiece(content: Buffer): AsyncIterable<Buffer> {
  yield content
}

async function take(context: IngestContext, { dataset, content, batchId, about }: ExtremeDelivery) {
  const request = { dataset, batchId, input: inOnePiece(content), quarantine: false, sourceName: about }
  let outcome: ImportOutcome
  try {
    outcome = await importBatch(context, request)
  } catch (error) {
    throw new Error(`${about}: ${String(error)}`, { cause: error })
  }
  if (outcome.kind === 'refused') {
    const { code, message, rowErrors } = outcome.refusal
    expect(REASONS, `${about}: ${message} ${rowErrors.map(row => row.message).join(' ')}`).toContain(code)
    expect(message).toMatch(/[぀-ヿ].*。$/)
  }
  return outcome
}

/** A harmless correction of somebody else, which is always the last word of its batch. */
function small(context: IngestContext, publisherId: bigint, number: number): Promise<ImportOutcome> {
  const text = `date,medium_id,publisher_id,article_impression,article_click\n${today(context.clock)},9,${publisherId},${number},1\n`
  const request = { dataset: 'summary-daily', batchId: 'small', quarantine: false, sourceName: 'small' } as const
  return importBatch(context, { ...request, input: inOnePiece(Buffer.from(text)) })
}

/** The ledger does not have the last one yet: it is given up, or a start finishes it. */
async function withdraw(context: IngestContext, isGivenUp: boolean): Promise<void> {
  const { rows } = await context.database.inScope(SYSTEM, tx =>
    sql<{ batchNo: bigint }>`update ingest_batches set state = 'applying' where batch_no = (
      select max(batch_no) from ingest_batches where state = 'applied' and dataset not in ('articles', 'videos'))
      returning batch_no`.execute(tx),
  )
  const [stuck] = rows
  if (!stuck) return
  if (isGivenUp) expect(await abandonBatch(context, `${stuck.batchNo}`)).toMatchObject({ isDone: true })
  else expect(await redoUnfinishedImports(context)).toMatchObject({ failed: [], unknownBatchNos: [] })
}

async function unsettled({ database }: IngestContext): Promise<readonly string[]> {
  const { rows } = await database.inScope(SYSTEM, tx =>
    sql<{ state: string }>`select batch_id || ' ' || state as state from ingest_batches
      where state in ('received', 'applying', 'failed')`.execute(tx),
  )
  return rows.map(({ state }) => state)
}

/** A start with an empty store makes every figure again from the kept deliveries. */
async function lostStoreComesBack({ dependencies }: SystemUnderTest): Promise<void> {
  const fresh = await openTestDuckDb()
  try {
    const context = { ...dependencies.ingest.context, stats: fresh.store }
    expect(await redoUnfinishedImports(context)).toMatchObject({ finished: [], failed: [] })
    expect(await figuresOf(fresh.store)).toEqual(await figuresOf(dependencies.stats))
  } finally {
    await fresh.drop()
  }
}

/** The report answers a year at most: the oldest, one with a day in February more, and the newest. */
const RANGES = [2020, 2024, 2026].map(year => ({
  from: day(year === 2020 ? EARLIEST_DAY : `${year}-01-01`),
  to: day(`${year}-12-31`),
}))

/** Every report in every grouping, and its files: no fault, and no integer that JavaScript cannot hold. */
async function reportsAnswer(system: SystemUnderTest): Promise<void> {
  const token = await system.tokenOf(system.rows.users['insight:admin'].email)
  const fields = rootFields(system.dependencies.insightSchema).filter(({ field }) => /Stats$/.test(field.name))
  expect(fields.length).toBeGreaterThanOrEqual(3)
  const ways = (name: string) => {
    const type = system.dependencies.insightSchema.getType(name)
    return isEnumType(type) ? type.getValues().map(value => value.name) : [undefined]
  }
  for (const { field } of fields) {
    const name = field.name[0]!.toUpperCase() + field.name.slice(1)
    for (const groupBy of ways(`${name}GroupBy`))
      for (const granularity of groupBy === undefined || groupBy === 'date' ? ways('Granularity') : ['daily'])
        for (const range of RANGES) {
          const param = { ...range, granularity, ...(groupBy ? { groupBy } : {}) }
          const query = `query ($param: ${name}Param!) { ${field.name}(limit: 100, offset: 0, param: $param) ${selection(field.type)} }`
          const { json, text, status } = await system.ask('insight', query, token, { param })
          expect([status, json.errors], `${field.name} ${JSON.stringify(param)}`).toEqual([200, undefined])
          expect(/(?<![\d."-])-?\d{16,}(?=[,}\]])/.exec(text)?.[0] ?? '0', field.name).toSatisfy(isSafe)
        }
  }
  const range = RANGES.at(-1)!
  const screens = {
    dashboard: dashboardCondition.format({ ...dashboardCondition.defaults, ...range }),
    'publisher-ranking': rankingCondition.format({ ...rankingCondition.defaults, ...range }),
    articles: articlesCondition.format({ ...articlesCondition.defaults, ...range }),
    videos: videosCondition.format({ ...videosCondition.defaults, ...range }),
  }
  for (const [report, condition] of Object.entries(screens))
    for (const format of ['csv', 'xlsx']) {
      const answer = await fetch(`${system.origins.insight}/exports/report`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ format, report, condition }),
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect([answer.status, bytes.length > 100], `${report} ${format} ${bytes.toString().slice(0, 200)}`).toEqual([
        200,
        true,
      ])
    }
}
const isSafe = (text: string) => Number.isSafeInteger(Number(text))
