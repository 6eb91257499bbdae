import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { ROLES } from '@pc/domain/access/role.ts'
import { firstDayOf, lastDayOf, monthRange, type YearMonth } from '@pc/domain/month/year-month.ts'
import { safeHtml } from '@pc/platform/html/safe-html.ts'
import { sniffImage } from '@pc/platform/objects/image-format.ts'
import { openImageUploads } from '@pc/platform/objects/image-uploads.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import { afterAll, expect, test } from 'vitest'
import { type SeedDemoDependencies, seedDemo } from './seed-demo.ts'

const fixture = await ingestFixture({ empty: true })
afterAll(() => fixture.close())

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'demo-pictures-'))
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }))
const images = openImageUploads({
  dataDir,
  webOrigin: 'http://127.0.0.1',
  objectsUrl: undefined,
  clock: fixture.clock,
})

class Killed extends Error {}

const dependencies = (failAfter = Number.POSITIVE_INFINITY): SeedDemoDependencies => {
  let deliveries = 0
  return {
    database: fixture.context.database,
    clock: fixture.clock,
    password: 'demo',
    hashPassword: async password => `hash of ${password}`,
    keepPicture: images.keep,
    async closeMonths(clock, months) {
      const closings = months.flatMap(month =>
        [1n, 2n, 3n, 4n, 9n].map(mediumId => ({ mediumId, month, finalizedAt: new Date(clock.now()) })),
      )
      await fixture.context.database.inScope(SYSTEM, tx => tx.insertInto('monthClosings').values(closings).execute())
    },
    async deliver(_clock, dataset, batchId, input) {
      deliveries += 1
      if (deliveries > failAfter) throw new Killed()
      const outcome = await fixture.take(dataset, '', { batchId, input })
      if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.refusal.rowErrors.slice(0, 3)))
    },
  }
}

/** The first and last days of all months over two years, to start the demonstration on. */
const OTHER_DAYS = [
  ...monthRange(202611 as YearMonth, 202811 as YearMonth).flatMap(month => [firstDayOf(month), lastDayOf(month)]),
  ...['2026-10-31', '2026-11-19', '2026-11-21', '2026-12-02', '2026-12-05', '2028-02-28'],
]

test('a first start, killed half way and completed, gives consistent demonstration data', async () => {
  await expect(seedDemo(dependencies(5))).rejects.toThrow(Killed)
  fixture.clock.set('2027-03-01T00:00:30+09:00')
  expect(await seedDemo(dependencies())).toBe(true)
  const begun = await fixture.context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('demonstration').selectAll().execute(),
  )
  expect(begun).toMatchObject([
    { begunAt: new Date('2026-11-20T12:00:00+09:00'), completedAt: new Date('2027-03-01T00:00:30+09:00') },
  ])

  const [days] = await fixture.context.stats.query(
    sql`select min(date) as first_day, max(date) as last_day, count(*) as row_count from ${table('publisher_day')}`,
  )
  expect(days).toMatchObject({ first_day: '2025-10-01', last_day: '2026-11-19' })

  const master = await fixture.context.database.inScope(SYSTEM, async tx => ({
    users: await tx
      .selectFrom('users')
      .innerJoin('userRoles', 'userRoles.uid', 'users.uid')
      .select(['email', 'roleName', 'organizationId'])
      .execute(),
    editorAgreements: (await tx.selectFrom('userAgreements').selectAll().execute()).length,
    publishers: (await tx.selectFrom('publishers').select('id').execute()).length,
    closings: await tx.selectFrom('monthClosings').select('month').distinct().orderBy('month', 'desc').execute(),
    articles: (await tx.selectFrom('mediumArticles').select('articleId').execute()).map(row => row.articleId),
    videos: (await tx.selectFrom('videos').select('videoId').execute()).map(row => row.videoId),
    thumbnails: (await tx.selectFrom('videos').select('thumbnailUrl').distinct().execute()).map(
      row => row.thumbnailUrl,
    ),
  }))
  expect(master.users).toHaveLength(ROLES.length)
  expect(master.users.find(user => user.roleName === 'insight:publisher_admin')).toMatchObject({
    email: 'insight.publisher_admin@example.jp',
    organizationId: expect.any(BigInt),
  })
  expect(master.editorAgreements).toBe(2)
  expect(master.publishers).toBe(41)
  // Fewer pictures than videos are drawn, and each one is served like the product's own.
  expect(master.thumbnails.length).toBeGreaterThan(5)
  const server = http.createServer((request, response) => void images.handle(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    for (const path of master.thumbnails) {
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'image/webp'])
      expect(sniffImage(new Uint8Array(await answer.arrayBuffer()))).toBe('webp')
    }
  } finally {
    server.close()
  }
  expect(master.closings[0]).toEqual({ month: 202609 })

  const announced = await fixture.context.database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('announcements')
      .innerJoin('announcementTargets as target', 'target.announcementId', 'announcements.id')
      .select(['level', 'enabled', 'body', 'kind'])
      .execute(),
  )
  expect(announced).toHaveLength(6)
  expect(announced.filter(row => row.level === 'warn')).toMatchObject([{ enabled: true, kind: 'all' }])
  // The publisher's editor works on some of its media only, and reads two of the three notes.
  const noted = await fixture.context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('annotations').select('mediumIds').orderBy('startsOn').execute(),
  )
  expect(noted.map(row => row.mediumIds.length)).toEqual([1, 0, 1])
  expect(noted[0]).not.toEqual(noted[2])

  for (const { body } of announced) expect(safeHtml(body)).toBe(body)

  for (const [name, id, known] of [
    ['article_day', 'article_id', new Set(master.articles)],
    ['video_day', 'video_id', new Set(master.videos)],
  ] as const) {
    const ids = await fixture.context.stats.query(
      name === 'article_day'
        ? sql`select distinct article_id from ${table(name)}`
        : sql`select distinct video_id from ${table(name)}`,
    )
    expect(ids.filter(row => !known.has(row[id] as bigint))).toEqual([])
  }
}, 180_000)

test.each(['with the note of it', 'of a version without the note'])(
  'a complete demonstration, %s, is left alone whatever day it is',
  async kind => {
    const { database } = fixture.context
    for (const day of OTHER_DAYS) {
      if (kind !== 'with the note of it')
        await withClient(fixture.adminUrl, client => client.query('truncate demonstration'))
      fixture.clock.set(`${day}T03:00:00+09:00`)
      const isMade = await seedDemo({
        ...dependencies(0),
        closeMonths: () => Promise.reject(new Error('months are closed again')),
      })
      expect(isMade, day).toBe(false)
    }
    const notes = await database.inScope(SYSTEM, tx => tx.selectFrom('demonstration').select('begunAt').execute())
    expect(notes).toEqual([{ begunAt: new Date('2026-11-20T12:00:00+09:00') }])
  },
)

test('what a publisher got includes its articles and videos, and its demographics sum up', async () => {
  const keys = sql`date, medium_id, publisher_id`
  const rows = await fixture.context.stats.query(sql`
    with articles as (
      select ${keys}, ${sumInt(sql`impression`)} as shown, ${sumInt(sql`click`)} as clicked,
        ${sumInt(sql`ads_revenue_micro_yen`)} as earned from ${table('article_day')} group by ${keys}
    ), demos as (
      select ${keys}, ${sumInt(sql`click`)} as clicked from ${table('publisher_demo_day')} group by ${keys}
    )
    select p.date, p.publisher_id, p.article_impression, a.shown, p.article_click, a.clicked,
      p.ads_revenue_micro_yen, a.earned, d.clicked as demo_clicked, p.article_click + p.video_click + p.live_click as all_clicked
    from ${table('publisher_day')} p
    left join articles a on a.date = p.date and a.medium_id = p.medium_id and a.publisher_id = p.publisher_id
    left join demos d on d.date = p.date and d.medium_id = p.medium_id and d.publisher_id = p.publisher_id
    order by p.date, p.medium_id, p.publisher_id`)
  expect(rows.length).toBeGreaterThan(20_000)
  for (const row of rows) {
    expect((row.article_impression as bigint) >= ((row.shown ?? 0n) as bigint)).toBe(true)
    expect((row.article_click as bigint) >= ((row.clicked ?? 0n) as bigint)).toBe(true)
    expect((row.ads_revenue_micro_yen as bigint) >= ((row.earned ?? 0n) as bigint)).toBe(true)
    expect(row.demo_clicked ?? 0n).toBe(row.all_clicked)
  }
})
