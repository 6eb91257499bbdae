import { addDays, type Day, day } from '@pc/domain/month/day.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Mail } from '@pc/platform/mail/send-mail.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { makeReportFixture, type ReportPerson } from '@pc/testing/statistics/report-store-fixture.ts'
import { openTestDuckDb } from '@pc/testing/statistics/stats-engines.ts'
import { importFacts } from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readChangeSentence } from '../../changes/server/change-texts.ts'
import { readTopArticles } from '../../contents/server/top-articles.ts'
import { COUNT_COLUMNS, SOURCE_REVENUE_COLUMNS } from '../../core/server/summary-sql.ts'
import { readSummary } from '../../dashboard/server/summary-report.ts'
import { readTopPublishers } from '../../ranking/server/top-publishers.ts'
import { planReportEmails, sendReportEmail } from './report-email-jobs.ts'

const { database, drop } = await testDatabase()
const { store: stats, drop: dropStats } = await openTestDuckDb()
afterAll(async () => {
  await drop()
  await dropStats()
})
const fixture = await makeReportFixture(database)
const clock = fixedClock('2026-11-20T08:55:00+09:00')
const queued: string[] = []
const jobs = {
  enqueue: async (_tx: unknown, _kind: unknown, { deliveryId }: { deliveryId: string }) => {
    queued.push(deliveryId)
    return 'id'
  },
} as unknown as Jobs
const mails: (Mail & { id: string | undefined })[] = []
const parts = {
  ...{ stats, database, clock, jobs, webOrigin: 'https://pc.example' },
  reports: { readSummary, readChangeSentence, readTopPublishers, readTopArticles },
  readHolidayCalendar: async () => ({ firstYear: 0, lastYear: 0, holidays: new Map() }),
  sendMail: async (mail: Mail, options?: { id?: string | undefined }) => void mails.push({ ...mail, id: options?.id }),
}
/** Plans, and sends what was queued. */
async function run(): Promise<void> {
  await planReportEmails(parts)
  for (const id of queued.splice(0)) await send(id)
}
const send = (deliveryId: string) =>
  sendReportEmail(parts, BigInt(deliveryId), { id: `job-${deliveryId}`, signal: new AbortController().signal })

const [own, foreign] = [fixture.publishers[1]!, fixture.publishers[5]!]
const ZERO = Object.fromEntries([...COUNT_COLUMNS, ...SOURCE_REVENUE_COLUMNS].map(name => [name, 0n]))
let batchNo = 0n
async function deliver(date: Day, ofOwn: bigint, ofForeign: bigint, medium_id = 1n) {
  batchNo += 1n
  const row = (publisher_id: bigint, yen: bigint) => ({
    ...{ ...ZERO, date, medium_id, publisher_id, batch_no: batchNo, follower: null },
    ...{ article_impression: yen * 10n, article_click: yen, publisher_revenue_micro_yen: yen * 1_000_000n },
  })
  const article = (publisher_id: bigint, article_id: bigint) => ({
    ...{ date, medium_id, publisher_id, article_id, batch_no: batchNo },
    ...{ impression: 7n, click: 1n, watch: 1n, ads_revenue_micro_yen: 0n, publisher_revenue_micro_yen: 0n },
  })
  await importFacts(stats, batchNo, {
    publisher_day: [row(own.id, ofOwn), row(foreign.id, ofForeign)],
    article_day: [article(own.id, 11n), article(foreign.id, 12n)],
  })
}
async function subscribe(person: ReportPerson, more: object = {}): Promise<bigint> {
  const { uid } = fixture.permitOf(person, 'read:list', 'insight:summary_stats.').viewer
  return database.inScope(SYSTEM, async tx => {
    const { id } = await tx
      .insertInto('reportMails')
      .values({
        ...{ uid, name: '毎朝の確認', cadence: 'daily', hour: 9, compareWith: 'same_weekdays', ranking: 'articles' },
        ...{ activeSince: new Date(clock.now()), ...more },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}
const states = () =>
  database.inScope(SYSTEM, tx =>
    tx.selectFrom('reportMailDeliveries').select(['state', 'periodFrom', 'periodTo']).orderBy('id').execute(),
  )

beforeAll(async () => {
  await database.inScope(SYSTEM, async tx => {
    await tx
      .insertInto('roles')
      .values([{ name: 'insight:publisher_admin' }, { name: 'insight:viewer' }])
      .execute()
    for (const [person, roleName] of [
      ['admin', 'insight:publisher_admin'],
      ['staff', 'insight:viewer'],
    ] as const) {
      const { uid } = fixture.permitOf(person, 'read:list', 'insight:summary_stats.').viewer
      await tx.insertInto('userRoles').values({ uid, roleName }).execute()
    }
    await tx.updateTable('users').set({ emailVerifiedAt: new Date() }).execute()
    const articles = [
      { mediumArticleId: 1n, articleId: 11n, publisherId: own.id, title: '自社の記事 <b>太字</b>' },
      { mediumArticleId: 2n, articleId: 12n, publisherId: foreign.id, title: '他社の記事' },
    ]
    for (const article of articles)
      await tx
        .insertInto('mediumArticles')
        .values({ ...article, mediumId: 1n, url: 'https://a.example/', publishedAt: new Date() } as never)
        .execute()
  })
  for (let back = 20; back > 0; back -= 1)
    await deliver(addDays(day('2026-11-20'), -back), back === 1 ? 1500n : 1000n, 5n)
})
beforeEach(async () => {
  mails.length = 0
  queued.length = 0
  await database.inScope(SYSTEM, tx => tx.deleteFrom('reportMails').execute())
})

test('at its hour each reader gets the own figures, once', async () => {
  clock.set('2026-11-20T08:55:00+09:00')
  await subscribe('admin')
  await subscribe('staff', { ranking: 'publishers', compareWith: 'previous_period' })
  await run()
  expect(mails).toEqual([])
  clock.set('2026-11-20T09:00:00+09:00')
  await run()
  await run()
  expect(mails.map(({ to }) => to)).toEqual(['admin@example.jp', 'staff@example.jp'])
  const [ofAdmin, ofStaff] = mails
  expect(ofAdmin!.subject).toBe('【レポート】毎朝の確認（2026年11月19日（木））')
  expect(ofAdmin!.text).toContain('指標 / 値 / 前の同じ曜日（2026年11月12日（木）） / 増減')
  expect(ofAdmin!.text).toContain('収益 / 1,500円 / 1,000円 / +50.0%')
  expect(ofAdmin!.text).toContain('クリック率 / 10.0% / 10.0% / ±0.0%')
  expect(ofAdmin!.text).toContain('数値の状態：速報')
  expect(ofAdmin!.text).toContain(
    '増減の理由：収益は、前の同じ曜日より500円（+50.0%）増えました。いちばんの要因は、表示回数の増加（+500円）です。',
  )
  expect(ofAdmin!.text).toContain('集計済み：2026年11月19日（木）まで')
  expect(ofAdmin!.text).toContain('1. 自社の記事 <b>太字</b> / 7回 / 1回 / 0円')
  expect(ofAdmin!.text).not.toMatch(/他社の記事|みどり/)
  expect(ofAdmin!.html).toContain('自社の記事 &lt;b&gt;太字&lt;/b&gt;')
  expect(ofAdmin!.html).not.toMatch(/<img|<script|<link/)
  expect(ofAdmin!.text).toMatch(/\/gpc\/#\/reports\/dashboard\/from=2026-11-19&to=2026-11-19&compareWith=same_weekdays/)
  expect(ofAdmin!.text).toMatch(/\/gpc\/#\/reports\/mails\/mail=\d+/)
  expect(ofStaff!.text).toContain('収益 / 1,505円 / 1,005円 / +49.7%')
  expect(ofStaff!.text).toContain('増減の理由：収益は、前の期間より500円（+49.7%）増えました。')
  expect(ofStaff!.text).toContain('2. みどり出版1 / 5円 / 50回')
  expect((await states()).map(one => one.state)).toEqual(['sent', 'sent'])
})

test('a mail waits for the last day, and says so when it did not come', async () => {
  clock.set('2026-11-21T08:55:00+09:00')
  await subscribe('admin')
  clock.set('2026-11-21T09:05:00+09:00')
  await run()
  expect([mails, (await states()).map(one => one.state)]).toEqual([[], ['waiting']])
  clock.set('2026-11-21T14:59:00+09:00')
  await run()
  expect(mails).toEqual([])
  clock.set('2026-11-21T15:00:00+09:00')
  await run()
  expect(mails[0]!.text).toMatch(/【未集計】6時間お待ちしましたが、2026年11月20日（金）のデータがまだ届いていません/)
  expect(mails[0]!.text).toContain('この期間と条件のデータはありません')
  await deliver(day('2026-11-20'), 1n, 1n)
  await run()
  expect(mails).toHaveLength(1)
})

test('weeks begin on Sunday; nothing that was due before the subscription is sent', async () => {
  clock.set('2026-11-16T10:00:00+09:00')
  await subscribe('admin', { cadence: 'weekly' })
  await run()
  expect(mails).toEqual([])
  await database.inScope(SYSTEM, tx => tx.deleteFrom('reportMails').execute())
  clock.set('2026-11-16T08:00:00+09:00')
  await subscribe('admin', { cadence: 'weekly' })
  clock.set('2026-11-16T09:00:00+09:00')
  await run()
  expect(await states()).toEqual([{ state: 'sent', periodFrom: '2026-11-08', periodTo: '2026-11-14' }])
  expect(mails[0]!.text).toContain('収益 / 7,000円 / 7,000円 / ±0.0%')
})

test('anyone who lost the right between the queue and the email gets none of it', async () => {
  const { uid } = fixture.permitOf('admin', 'read:list', 'insight:summary_stats.').viewer
  const queueOne = async () => {
    await database.inScope(SYSTEM, tx => tx.deleteFrom('reportMails').execute())
    clock.set('2026-11-20T08:00:00+09:00')
    await subscribe('admin', { condition: `publisherId=${own.id}` })
    clock.set('2026-11-20T09:00:00+09:00')
    await planReportEmails(parts)
    return queued.splice(0)[0]!
  }
  const change = (values: object) =>
    database.inScope(SYSTEM, tx => tx.updateTable('users').set(values).where('uid', '=', uid).execute())
  const disabled = await queueOne()
  await change({ enabled: false })
  await send(disabled)
  expect([mails, (await states())[0]?.state]).toEqual([[], 'not_sent'])
  await change({ enabled: true })

  const roleless = await queueOne()
  await database.inScope(SYSTEM, tx => tx.deleteFrom('userRoles').where('uid', '=', uid).execute())
  await send(roleless)
  expect([mails, (await states())[0]?.state]).toEqual([[], 'not_sent'])
  await database.inScope(SYSTEM, tx =>
    tx.insertInto('userRoles').values({ uid, roleName: 'insight:publisher_admin' }).execute(),
  )

  const moved = await queueOne()
  await change({ organizationId: fixture.organizationIds[1]! })
  await send(moved)
  expect(mails[0]!.text).toContain('パブリッシャー＝表示できません')
  expect(mails[0]!.text).toContain('この期間と条件のデータはありません')
  expect(mails[0]!.text).not.toMatch(/1,500|自社の記事|あおい/)
  await change({ organizationId: fixture.organizationIds[0]! })
})

test('a stopped mail does not leave, an attempt that failed is made again with the same id, a sent one is not', async () => {
  clock.set('2026-11-20T08:00:00+09:00')
  const id = await subscribe('admin')
  clock.set('2026-11-20T09:00:00+09:00')
  await planReportEmails(parts)
  const [deliveryId] = queued.splice(0)
  const broken = { ...parts, sendMail: () => Promise.reject(new Error('away')) }
  const job = { id: 'job', signal: new AbortController().signal }
  await expect(sendReportEmail(broken, BigInt(deliveryId!), job)).rejects.toThrow('away')
  await sendReportEmail(parts, BigInt(deliveryId!), job)
  await sendReportEmail(parts, BigInt(deliveryId!), job)
  expect(mails.map(mail => mail.id)).toEqual(['job'])

  clock.set('2026-11-21T09:00:00+09:00')
  await planReportEmails(parts)
  await database.inScope(SYSTEM, tx =>
    tx.updateTable('reportMails').set({ isPaused: true }).where('id', '=', id).execute(),
  )
  for (const one of queued.splice(0)) await send(one)
  expect(mails).toHaveLength(1)
})

test('a medium that is late is named as missing, though another one has arrived', async () => {
  await deliver(day('2026-11-20'), 1n, 1n, 2n)
  await deliver(day('2026-11-21'), 700n, 1n)
  clock.set('2026-11-22T08:00:00+09:00')
  await subscribe('admin')
  await subscribe('admin', { condition: 'mediumId=1', name: '媒体1' })
  clock.set('2026-11-22T09:00:00+09:00')
  await run()
  expect(mails.map(mail => mail.subject)).toEqual(['【レポート】媒体1（2026年11月21日（土））'])
  expect(mails[0]!.text).toContain('絞り込み：媒体＝メディア1')
  expect(mails[0]!.text).not.toContain('未集計')
  clock.set('2026-11-22T15:00:00+09:00')
  await run()
  expect(mails[1]!.text).toContain(
    '2026年11月21日（土）のデータが一部の媒体からまだ届いていません。届いている分だけの数値です',
  )
  expect(mails[1]!.text).toContain('収益 / 700円')
  expect(mails[1]!.text).toContain(
    '集計済み：2026年11月21日（土）まで（媒体「メディア2」は2026年11月20日（金）まで）（2026年11月22日（日）時点',
  )
  expect(mails[0]!.text).not.toContain('メディア2')
})
