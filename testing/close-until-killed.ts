import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { rebookPools } from '@pc/features/dividends/server/dividend-ledger.ts'
import { computeMonth } from '@pc/features/payments/server/compute-month.ts'
import { finalizeMonth } from '@pc/features/payments/server/finalize-month.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { openDatabase } from '@pc/platform/postgres/database.ts'
import { openDuckDb } from '@pc/platform/stats/duckdb-store.ts'
import pg from 'pg'
import { argumentsOfWork } from './spare-process.ts'

/**
 * A process of its own for tests that kill it: computes and finalises one month. Says `begin`, then `end` and how many
 * statements it has sent. The last argument n kills it the moment that it has sent the n-th.
 */
const [url = '', file = '', mediumId = '', month = '', uid = '', killAt = '0'] = await argumentsOfWork()
const database = openDatabase({ url, maxConnections: 2 })
const store = await openDuckDb({ file, memoryLimit: '128MB', threads: 1 })
const clock = fixedClock('2028-01-10T12:00:00+09:00')
const key = { mediumId: BigInt(mediumId), month: Number(month) as YearMonth }
let statements = 0
killAtStatement(Number(killAt))
process.stdout.write('begin\n')
const computed = await computeMonth({ database, stats: store, clock, rebookPools }, key)
if (!computed.ok && computed.refusals[0]?.code !== 'payment/already-finalized') {
  throw new Error(JSON.stringify(computed.refusals))
}
const closed = await finalizeMonth({ database, stats: store, clock }, key, uid)
if (!closed.ok && closed.refusals[0]?.code !== 'payment/already-finalized') {
  throw new Error(JSON.stringify(closed.refusals))
}
process.stdout.write(`end ${statements}\n`)
await store.close()
await database.close()

/** Counts every message with statements; the last one may or may not reach the server. */
function killAtStatement(last: number): void {
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    statements += 1
    const answer: unknown = Reflect.apply(query, this, given)
    if (statements === last) process.kill(process.pid, 'SIGKILL')
    return answer
  } as typeof query
}
