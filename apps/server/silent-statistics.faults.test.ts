import { createKey } from '@pc/features/ingest/server/ingest-key-commands.ts'
import { clickHouseServer } from '@pc/platform/stats/clickhouse-server.ts'
import { type FaultyLink, faultyLink, type LinkState } from '@pc/testing/faults/faulty-link.ts'
import { isClickHouseEngineInstalled, startClickHouseEngine } from '@pc/testing/statistics/clickhouse-engine.ts'
import { csv } from '@pc/testing/statistics/ingest-fixture.ts'
import { FAULT_MS, pause, RECOVERY_MS, recoveryMsOf, type Seen, Traffic } from '@pc/testing/system/fault-fixture.ts'
import { startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { expect, test } from 'vitest'

/**
 * Security, figure 10: the ClickHouse server goes silent, slow, dies or is away for half a minute, while people read
 * reports and networks deliver. Skipped where neither CLICKHOUSE_URL nor the engine of `npm run test:clickhouse` is there.
 */
const FAULTS: readonly LinkState[] = ['silent', 'slow', 'restarted', 'dying', 'away']
/** A delivery waits for its store; on a connection that nobody answers any more, until four reports of progress are missing. */
const DELIVERY_AFTER_MS = 100_000
const IMPRESSIONS = 7

interface Delivery {
  readonly id: string
  readonly day: string
  /** Whether the network was told that it is there. */
  isAcknowledged: boolean
}

/** Deliveries one after the other, as of a network that goes on to the next one whatever the answer. */
class Deliveries {
  readonly all: Delivery[] = []
  #isOn = true
  #running: Promise<void> = Promise.resolve()
  readonly #post: (delivery: Delivery) => Promise<number>

  constructor(post: (delivery: Delivery) => Promise<number>) {
    this.#post = post
  }

  start(name: string): void {
    this.#isOn = true
    this.#running = (async () => {
      while (this.#isOn) {
        const n = this.all.length
        const delivery: Delivery = {
          id: `${name}-${n}`,
          day: `2026-10-${String(1 + (n % 28)).padStart(2, '0')}`,
          isAcknowledged: false,
        }
        this.all.push(delivery)
        delivery.isAcknowledged = (await this.#post(delivery).catch(() => 0)) === 200
        await pause(300)
      }
    })()
  }

  /** Resolves when the last one was answered. */
  async stop(): Promise<void> {
    this.#isOn = false
    await this.#running
  }

  /** What a network does with everything that was not acknowledged. */
  async repeat(): Promise<number> {
    const left = this.all.filter(delivery => !delivery.isAcknowledged)
    for (const delivery of left) {
      expect(await this.#post(delivery), `${delivery.id}, again`).toBe(200)
      delivery.isAcknowledged = true
    }
    return left.length
  }
}

const hasEngine = process.env.CLICKHOUSE_URL !== undefined || isClickHouseEngineInstalled()

test.skipIf(!hasEngine)(`${FAULTS.length} faults of ClickHouse × ${FAULT_MS / 1_000} s`, async () => {
  const engine = process.env.CLICKHOUSE_URL
    ? { url: process.env.CLICKHOUSE_URL, stop: async () => {} }
    : await startClickHouseEngine()
  const behind = new URL(engine.url)
  const link: FaultyLink = await faultyLink({ host: behind.hostname, port: Number(behind.port || 8123) })
  const address = new URL(engine.url)
  address.port = String(link.port)
  address.pathname = behind.pathname = `/faults_${process.pid}`
  const system = await startSystemUnderTest({ CLICKHOUSE_URL: address.href }, { clickhouseUrl: address.href })
  const { secret } = await createKey(system.dependencies.ingest.context, '配信システム')
  const [publisherId = 0n] = system.rows.a.publisherIds
  const post = async ({ id, day }: Delivery) => {
    const article = 1_000 + Number(id.split('-').at(-1))
    const answer = await fetch(`${system.origins.web}/ingest/v1/article-daily?batchId=${id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'text/csv' },
      body: csv(
        ['date', 'medium_id', 'publisher_id', 'article_id', 'impression', 'click'],
        [[day, 1, publisherId, article, IMPRESSIONS, 1]],
      ),
    })
    await answer.text()
    return answer.status
  }
  const deliveries = new Deliveries(post)
  const token = () => system.tokenOf(system.rows.users.admin.email)
  const report = `{ summaryStats(limit: 40, offset: 0, param: { from: "2026-10-01", to: "2026-10-31" }) { nodes { date } } }`
  const wrong: Seen[] = []
  const lateDeliveries: string[] = []
  let slowestRecovery = 0
  for (const fault of FAULTS) {
    const ownToken = await token()
    const works = async () => (await system.ask('insight', report, ownToken)).json.errors === undefined
    expect(await works(), `before ${fault}`).toBe(true)
    const traffic = new Traffic(system, ownToken, fault)
    const before = deliveries.all.length
    traffic.start()
    deliveries.start(fault)
    await pause(1_000)
    link.become(fault)
    await pause(FAULT_MS)
    link.become('whole')
    const recoveryMs = await recoveryMsOf(works)
    await traffic.stop()
    const stopping = performance.now()
    await deliveries.stop()
    if (performance.now() - stopping > DELIVERY_AFTER_MS) lateDeliveries.push(fault)
    const own = deliveries.all.slice(before)
    const acknowledged = own.filter(delivery => delivery.isAcknowledged).length
    const repeated = await deliveries.repeat()
    wrong.push(...traffic.faults)
    slowestRecovery = Math.max(slowestRecovery, recoveryMs)
    const row = `${fault}: ${traffic.summary}, recovery ${Math.round(recoveryMs)} ms; of ${own.length} deliveries ${acknowledged} acknowledged, ${repeated} repeated`
    console.warn(row)
  }
  // Asked directly, not over the link: every delivery once, in the facts and in what is summed from them.
  const direct = clickHouseServer(behind.href)
  const count = async (query: string) => (await direct.send(query, { settings: {}, format: 'TabSeparated' })).trim()
  const { database } = direct
  const expected = String(deliveries.all.length * IMPRESSIONS)
  const sums = {
    facts: await count(`select toString(sum(impression)) from ${database}.article_day`),
    articles: await count(`select toString(sum(impression)) from ${database}.article_month`),
    rows: await count(`select toString(count()) from ${database}.article_day`),
  }
  await direct.send(`drop database if exists ${database} sync`, { settings: {} })
  await direct.close()
  await system.close()
  await link.close()
  await engine.stop()
  expect(sums).toEqual({
    ...{ facts: expected, articles: expected },
    rows: String(deliveries.all.length),
  })
  expect(wrong).toEqual([])
  expect(lateDeliveries).toEqual([])
  expect(slowestRecovery).toBeLessThan(RECOVERY_MS)
})
