import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { rebookPools } from '@pc/features/dividends/server/dividend-ledger.ts'
import { computeMonth } from '@pc/features/payments/server/compute-month.ts'
import { finalizeMonth } from '@pc/features/payments/server/finalize-month.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { openDatabase } from '@pc/platform/postgres/database.ts'
import { openDuckDb } from '@pc/platform/stats/duckdb-store.ts'

/** A process of its own for tests that kill it: computes and finalises one month. Says `begin`, then `end`. */
const [url = '', file = '', mediumId = '', month = '', uid = ''] = process.argv.slice(2)
const database = openDatabase({ url, maxConnections: 2 })
const store = await openDuckDb({ file, memoryLimit: '128MB', threads: 1 })
const clock = fixedClock('2028-01-10T12:00:00+09:00')
const key = { mediumId: BigInt(mediumId), month: Number(month) as YearMonth }
process.stdout.write('begin\n')
const computed = await computeMonth({ database, stats: store, clock, rebookPools }, key)
if (!computed.ok) throw new Error(JSON.stringify(computed.refusals))
const closed = await finalizeMonth({ database, stats: store, clock }, key, uid)
if (!closed.ok) throw new Error(JSON.stringify(closed.refusals))
process.stdout.write('end\n')
await store.close()
await database.close()
