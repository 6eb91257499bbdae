import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { smallDisk } from '@pc/testing/faults/small-disk.ts'
import { type FactRow, importFacts, inColumnOrder } from '@pc/testing/statistics/stats-rows.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDuckDb } from './duckdb-store.ts'
import type { StatsStore } from './port.ts'
import { ident, type Sql, sql, sumInt, table } from './sql.ts'
import { StatsStoreError, StatsTimeoutError } from './stats-store-error.ts'

/** What only the embedded store promises: files, locks, recovery, readers beside an import. */
const JANUARY = 202601 as YearMonth
const COUNT = sql`select count(*) as n, ${sumInt(ident('click'))} as clicks from ${table('article_day')}`
/** Runs for minutes unless it is stopped. */
const ENDLESS: Sql = sql`select count(*) as n from ${table('article_day')} a, ${table('article_day')} b, ${table('article_day')} c where a.click + b.click + c.click < 0`

let folder: string
let file: string
let store: StatsStore | undefined
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'duckdb-store-'))
  file = path.join(folder, 'deep', 'stats.duckdb')
})
afterEach(async () => {
  await store?.close()
  store = undefined
  fs.rmSync(folder, { recursive: true, force: true })
})
const settings = () => ({ file, memoryLimit: '256MB', threads: 2 })
async function open(): Promise<StatsStore> {
  store = await openDuckDb(settings())
  return store
}
async function failure(): Promise<StatsStoreError> {
  const error = await openDuckDb(settings()).then(
    opened => opened.close(),
    cause => cause,
  )
  expect(error).toBeInstanceOf(StatsStoreError)
  return error
}
/** Something else writes to the file behind the store's back. */
async function behindItsBack(...statements: readonly string[]): Promise<void> {
  const db = await DuckDBInstance.create(file)
  const connection = await db.connect()
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  db.closeSync()
}
function articles(batchNo: bigint, count: number, click = 1n): FactRow[] {
  const row = {
    date: '2026-01-15',
    medium_id: 1n,
    batch_no: batchNo,
    impression: 5n,
    watch: 0n,
    ads_revenue_micro_yen: 1n,
    publisher_revenue_micro_yen: 1n,
  }
  return Array.from({ length: count }, (_, index) => ({
    ...row,
    publisher_id: BigInt(index % 50),
    article_id: BigInt(index),
    click,
  }))
}

describe('the file', () => {
  test('keeps what was published, and its folder is made', async () => {
    await importFacts(await open(), 1n, { article_day: articles(1n, 10) })
    await store!.close()
    await open()
    expect(await store!.query(COUNT)).toEqual([{ n: 10n, clicks: 10n }])
    expect(await store!.damagedBatches()).toEqual([])
    expect(fs.readdirSync(path.dirname(file))).not.toContain('stats.duckdb.wal')
  })

  test('is refused while another process has it, with what to do', async () => {
    await open()
    await store!.close()
    store = undefined
    const script = path.join(folder, 'holder.mjs')
    fs.writeFileSync(
      script,
      `import { openDuckDb } from ${JSON.stringify(path.resolve(import.meta.dirname, 'duckdb-store.ts'))}
       const store = await openDuckDb(${JSON.stringify(settings())})
       console.log('open'); process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume()`,
    )
    const holder = promisify(execFile)(process.execPath, [script])
    await new Promise(resolve => holder.child.stdout!.once('data', resolve))
    const error = await failure()
    holder.child.stdin!.end()
    await holder.catch(() => undefined)
    expect(error.reason).toBe('locked')
    expect(error.message).toContain('Stop that process')
    await open() // the lock dies with its process
  })

  test('is opened once in a process: a second store would lose commits', async () => {
    await open()
    expect((await failure()).reason).toBe('locked')
  })

  test.each([
    ['is no database', () => fs.writeFileSync(file, 'not a database, but long enough to be read as one'.repeat(500))],
    ['was cut off', () => fs.truncateSync(file, 5000)],
    ['has a broken page', () => fs.writeFileSync(file, Buffer.alloc(4096, 7), { flag: 'r+' })],
  ])('that %s is refused with the way to recover', async (_, damage) => {
    await importFacts(await open(), 1n, { article_day: articles(1n, 5000) })
    await store!.close()
    damage()
    const error = await failure()
    expect(error.reason).toBe('damaged')
    expect(error.message).toContain('.wal away together')
    expect(error.message).toContain('DuckDB says')
  })

  test.each(['alter table article_day add column surprise bigint', 'drop table medium_day'])(
    'of a version with other tables is refused: %s',
    async difference => {
      await open()
      await store!.close()
      await behindItsBack(difference)
      expect((await failure()).reason).toBe('outdated')
    },
  )

  test('in a folder that cannot be made is refused', async () => {
    fs.writeFileSync(path.join(folder, 'deep'), 'a file, not a folder')
    expect((await failure()).reason).toBe('unreachable')
  })

  test.each([
    ['a changed value', 'update article_day set click = click + 1 where batch_no = 2 and article_id = 3'],
    [
      'values of two columns swapped',
      'update article_day set click = impression, impression = click where batch_no = 2',
    ],
    ['a row that is gone', 'delete from article_day where batch_no = 2 and article_id = 3'],
    ['a row twice', 'insert into article_day select * from article_day where batch_no = 2 and article_id = 3'],
    [
      'a row that nobody published',
      'insert into article_day select * replace (2 as batch_no) from article_day where batch_no = 1 limit 1',
    ],
  ])('with %s names the batch to import again', async (_, damage) => {
    await open()
    await importFacts(store!, 1n, { article_day: articles(1n, 20) })
    await importFacts(store!, 2n, { article_day: articles(2n, 20) })
    await store!.close()
    await behindItsBack(damage)
    await open()
    expect(await store!.damagedBatches()).toEqual([2n])
    await importFacts(store!, 2n, { article_day: articles(2n, 20) })
    expect(await store!.damagedBatches()).toEqual([])
  })
})

test('a disk that fills up while the store is created: it opens once there is space again', async context => {
  const disk = smallDisk(1)
  if (!disk) return context.skip('no small disk can be mounted here')
  try {
    // Every place at which writing the first pages can stop.
    for (let pages = 0; pages <= 16; pages += 1) {
      const created = path.join(disk.folder, `${pages}`, 'stats.duckdb')
      fs.mkdirSync(path.dirname(created))
      disk.fill(pages * 4096)
      const first = await openDuckDb({ ...settings(), file: created }).then(
        opened => opened.close().then(() => 'opened'),
        error => (error as Error).message,
      )
      disk.free()
      store = await openDuckDb({ ...settings(), file: created })
      expect(await store.query(COUNT), `${pages} pages: ${first}`).toEqual([{ n: 0n, clicks: null }])
      await store.close()
      store = undefined
      fs.rmSync(path.dirname(created), { recursive: true })
    }
  } finally {
    disk.unmount()
  }
})

describe('imports', () => {
  test('a publication that fails midway leaves everything as it was', async () => {
    await open()
    await importFacts(store!, 1n, { article_day: articles(1n, 10) })
    const run = await store!.beginImport({ batchNo: 2n, replacesBatchNos: [1n], months: [JANUARY] })
    // Two rows of one article: their sum of the month does not fit, which shows when the roll-up is made.
    const rows = [1n, 2n].map(click => ({ ...articles(2n, 1, 2n ** 63n - click)[0]! }))
    await run.append('article_day', inColumnOrder('article_day', rows))
    await expect(run.publish()).rejects.toThrow(/out of range/)
    await run.discard()
    expect(await store!.query(COUNT)).toEqual([{ n: 10n, clicks: 10n }])
    expect(await store!.damagedBatches()).toEqual([])
  })

  test('a Parquet file is staged by column names', async () => {
    await open()
    const parquet = path.join(folder, "it's.parquet")
    const db = await DuckDBInstance.create()
    const connection = await db.connect()
    await connection.run(
      `copy (select 3 as batch_no, i as article_id, date '2026-01-02' as date, 1 as medium_id, 7 as publisher_id, 2 as impression, 1 as click,
         0 as watch, 0 as ads_revenue_micro_yen, 0 as publisher_revenue_micro_yen, 0 as completion, 0 as completion_watch,
         0 as engaged_time_ms, 0 as engaged_time_watch from range(1000) r(i)) to '${parquet.replaceAll("'", "''")}' (format parquet)`,
    )
    connection.closeSync()
    db.closeSync()
    const run = await store!.beginImport({ batchNo: 3n, replacesBatchNos: [], months: [JANUARY] })
    await run.load('article_day', parquet)
    await run.publish()
    expect(await store!.query(COUNT)).toEqual([{ n: 1000n, clicks: 1000n }])
    expect(await store!.publishedBatches()).toEqual(new Map([[3n, 1000n]]))
  })

  test('readers beside an import see the old or the new state, whole, and do not wait for it', async () => {
    await open()
    const size = 150_000
    await importFacts(store!, 1n, { article_day: articles(1n, size) })
    let isImporting = true
    let reads = 0
    const seen = new Set<string>()
    let requested = 0
    // A statement of its own each time: what is known already would not be read.
    const clicksOf = (name: 'article_day' | 'article_month') =>
      sql`select ${sumInt(ident('click'))} as clicks from ${table(name)} where click <> ${-requested}`
    const reader = async (isBeside: boolean) => {
      while (isImporting) {
        const states = await store!.snapshot(async query => {
          requested += 1
          const days = query(clicksOf('article_day'))
          if (!isBeside) await days
          const [[first], [second]] = await Promise.all([days, query(clicksOf('article_month'))])
          return `${first!.clicks} ${second!.clicks}`
        })
        seen.add(states)
        if (isImporting) reads += 1
      }
    }
    const readers = [reader(true), reader(false)]
    await importFacts(store!, 2n, { article_day: articles(2n, size, 3n) }, [1n])
    isImporting = false
    await Promise.all(readers)
    const [old, fresh] = [`${size} ${size}`, `${3 * size} ${3 * size}`]
    expect([...seen].filter(state => state !== old && state !== fresh)).toEqual([])
    expect(seen.has(old)).toBe(true)
    expect(reads).toBeGreaterThan(5)
    expect(await store!.query(COUNT)).toEqual([{ n: BigInt(size), clicks: BigInt(3 * size) }])
  })

  test('what a large import commits is seen at once, also after months without a row in it', async () => {
    await open()
    const months = [202512, 202601, 202602, 202603] as YearMonth[]
    await importFacts(store!, 1n, { article_day: articles(1n, 300_000) }, [], months)
    for (const batchNo of [2n, 3n]) {
      await importFacts(store!, batchNo, { article_day: articles(batchNo, 20_000) }, batchNo === 3n ? [2n] : [], months)
      expect(await store!.publishedBatches()).toEqual(
        new Map([
          [1n, 300_000n],
          [batchNo, 20_000n],
        ]),
      )
    }
  })

  test('an open import ends with the store', async () => {
    await open()
    const run = await store!.beginImport({ batchNo: 1n, replacesBatchNos: [], months: [JANUARY] })
    await run.append('article_day', inColumnOrder('article_day', articles(1n, 10)))
    await store!.close()
    await expect(run.publish()).rejects.toThrow(/ended/)
    await open()
    expect(await store!.query(COUNT)).toEqual([{ n: 0n, clicks: null }])
  })
})

describe('readers', () => {
  beforeEach(async () => {
    await importFacts(await open(), 1n, { article_day: articles(1n, 20_000) })
  })

  test('a statement that takes too long is stopped, and the next one answers', async () => {
    await expect(store!.query(ENDLESS, { timeoutMs: 50 })).rejects.toThrow(StatsTimeoutError)
    expect((await store!.query(COUNT))[0]?.n).toBe(20_000n)
  })

  test('a statement whose caller went away is stopped', async () => {
    const caller = new AbortController()
    const running = store!.query(ENDLESS, { signal: caller.signal })
    setTimeout(() => caller.abort(new Error('the caller went away')), 30)
    await expect(running).rejects.toThrow('the caller went away')
  })

  test('more readers than connections all get their answer', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => store!.query(COUNT)))
    for (const answer of answers) expect(answer).toEqual([{ n: 20_000n, clicks: 20_000n }])
  })

  test('a failed statement in a snapshot does not spoil the connection', async () => {
    await expect(store!.snapshot(query => query(sql`select nothing from ${table('article_day')}`))).rejects.toThrow()
    expect(await store!.snapshot(query => query(COUNT))).toEqual([{ n: 20_000n, clicks: 20_000n }])
  })

  test('statements of a snapshot run beside each other, all over the state that it began with', async () => {
    const counted = (offset: bigint) =>
      sql`select count(*) + ${offset} as n, ${sumInt(ident('click'))} as clicks from ${table('article_day')}`
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, reader) =>
        store!.snapshot(async query => {
          const beside = [0, 1, 2, 3].map(n => query(counted(BigInt(10 * reader + n))))
          const [first] = await query(counted(0n))
          return [first!.n, ...(await Promise.all(beside)).map(([row]) => row!.n)]
        }),
      ),
    )
    expect(answers).toEqual(
      answers.map((_, reader) => [20_000n, ...[0, 1, 2, 3].map(n => BigInt(20_000 + 10 * reader + n))]),
    )
  })

  test('a snapshot that fails waits for what runs beside, and the store can be used and closed', async () => {
    let isOver = false
    const caller = new AbortController()
    const failing = store!.snapshot(async query => {
      const beside = query(ENDLESS, { signal: caller.signal }).finally(() => {
        isOver = true
      })
      setTimeout(() => caller.abort(new Error('the caller went away')), 50)
      await Promise.all([beside, query(sql`select nothing from ${table('article_day')}`)])
    })
    await expect(failing).rejects.toThrow(/nothing/)
    expect(isOver).toBe(true)
    expect(await store!.snapshot(query => query(COUNT))).toEqual([{ n: 20_000n, clicks: 20_000n }])
  })

  test('closing waits for running statements and refuses new ones', async () => {
    const running = store!.query(COUNT)
    const closed = store!.close()
    await expect(store!.query(COUNT)).rejects.toThrow(/closed/)
    expect(await running).toEqual([{ n: 20_000n, clicks: 20_000n }])
    await closed
  })
})
