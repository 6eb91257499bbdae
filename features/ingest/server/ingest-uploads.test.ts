import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { ROLES } from '@pc/domain/access/role.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { csv } from '@pc/testing/statistics/ingest-fixture.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DATASETS } from './checking/dataset-columns.ts'
import { datasetOf } from './dry-run/recognise-dataset.ts'
import { redoUnfinishedImports } from './publishing/redo-unfinished-imports.ts'

/** A file as a person on the screen delivers it: uploaded, looked at, published. */
let system: SystemUnderTest
let token: string
const HEADER = ['date', 'medium_id', 'publisher_id', 'article_impression', 'article_click']

beforeAll(async () => {
  system = await startSystemUnderTest()
  token = await system.tokenOf(system.rows.users['insight:admin'].email)
})
afterAll(() => system?.close())

const row = (day: string, impression: unknown) => [day, 1n, system.rows.a.publisherIds[0]!, impression, 1]
const summary = (...rows: (readonly unknown[])[]) => csv(HEADER, rows)
const uploads = () => path.join(system.dependencies.config.dataDir, 'ingest/uploads')
const kept = () =>
  fs.readdirSync(uploads(), { recursive: true, withFileTypes: true }).filter(one => one.isFile()).length

async function send(route: string, body: string | Buffer<ArrayBuffer>, as: string | null = token) {
  const response = await fetch(`${system.origins.web}/ingest/uploads${route}`, {
    method: 'POST',
    headers: as === null ? {} : { authorization: `Bearer ${as}` },
    body,
  })
  const lines = (await response.text()).split('\n').filter(line => line !== '')
  const said = lines.map(line => JSON.parse(line) as Record<string, Record<string, unknown>>)
  return { status: response.status, said, last: said.at(-1)! }
}
const upload = async (content: string | Buffer<ArrayBuffer>) =>
  (await send('', content)).last as unknown as Record<string, string>
async function step(name: 'check' | 'publish' | 'discard', sha256: string, options: object = {}, as = token) {
  const body = JSON.stringify({ dataset: 'summary-daily', name: '手作業.csv', ...options })
  const { status, last, said } = await send(`/${sha256}/${name}`, body, as)
  return { status, said, last, answer: last.answer as Record<string, unknown> }
}
const ledger = async () =>
  (
    await system.dependencies.database.inScope(SYSTEM, tx =>
      sql<{ state: string; uid: string | null; name: string; no: bigint; audited: bigint }>`
        select b.state, b.delivered_by_uid as uid, b.source_name as name, b.batch_no as no,
          (select count(*) from audit_log l where l.resource_name = 'insight:ingest.' and l.action = 'import'
            and l.row_id = b.batch_no::text and l.actor_uid = b.delivered_by_uid) as audited
        from ingest_batches b order by b.batch_no`.execute(tx),
    )
  ).rows

test('the file that was looked at is published: once, in the name of who sent it', async () => {
  const { sha256 = '', dataset, format } = await upload(summary(row('2026-06-01', 10), row('2026-06-02', 5)))
  expect({ dataset, format }).toEqual({ dataset: 'summary-daily', format: 'csv' })
  const checked = await step('check', sha256)
  expect(checked.said[0]).toEqual({ progress: { step: 'wait' } })
  expect(checked.answer).toMatchObject({
    status: 'acceptable',
    sha256,
    finalMonths: [],
    summary: { rows: 2, firstDay: '2026-06-01', lastDay: '2026-06-02', totals: [{ total: '15' }, { total: '2' }] },
  })
  expect(await ledger()).toEqual([])
  // The system starts again between the two: what waits is on disk.
  await redoUnfinishedImports(system.dependencies.ingest.context)
  const [one, other] = await Promise.all([step('publish', sha256), step('publish', sha256)])
  expect([one.answer?.status, other.answer?.status].sort()).toEqual(['applied', 'unchanged'])
  expect(await ledger()).toMatchObject([
    { state: 'applied', uid: system.rows.users['insight:admin'].uid, name: '手作業.csv', audited: 1n },
  ])
  expect(kept()).toBe(0)
  const again = await upload(summary(row('2026-06-01', 10), row('2026-06-02', 5)))
  expect((await step('check', again.sha256!)).answer).toMatchObject({ status: 'unchanged', batch: { batchNo: '1' } })
  await step('discard', again.sha256!)
  const query = `{ ingestBatches(limit: 9, offset: 0) { nodes { deliveredBy apiKeyName } } }`
  const { json } = await system.ask('insight', query, await system.tokenOf(system.rows.users['insight:viewer'].email))
  expect(json.data).toEqual({
    ingestBatches: { nodes: [{ deliveredBy: system.rows.users['insight:admin'].email, apiKeyName: null }] },
  })
})

test('wrong rows are set aside, and another batch is replaced, when the person says so', async () => {
  const { sha256 = '' } = await upload(summary(row('2026-06-01', 11), row('2026-06-03', 'x')))
  expect((await step('check', sha256)).answer).toMatchObject({ status: 'refused', code: 'ingest/bad-rows', badRows: 1 })
  const overlap = (await step('check', sha256, { quarantine: true })).answer
  expect(overlap).toMatchObject({ status: 'refused', code: 'ingest/overlap' })
  const options = { quarantine: true, replaces: overlap.otherBatchId }
  const { answer } = await step('check', sha256, options)
  expect(answer).toMatchObject({ status: 'acceptable', badRows: 1, replaces: { rows: 2, lastDay: '2026-06-02' } })
  expect((await step('publish', sha256, options)).answer).toMatchObject({ status: 'applied', badRows: 1 })
})

test('a person has what they sent themselves, for two hours', async () => {
  const { sha256 = '' } = await upload(summary(row('2026-06-09', 1)))
  const admin = await system.tokenOf(system.rows.users.admin.email)
  expect(await step('check', sha256, {}, admin)).toMatchObject({ status: 410, last: { code: 'ingest/expired' } })
  expect((await step('check', sha256)).status).toBe(200)
  const file = path.join(uploads(), system.rows.users['insight:admin'].uid, sha256)
  const longAgo = Date.now() / 1000 - 2 * 3600 - 1
  fs.utimesSync(file, longAgo, longAgo)
  for (const name of ['check', 'publish'] as const) {
    const { status, last } = await step(name, sha256)
    expect([status, String(last.message)]).toEqual([410, expect.stringContaining('もう一度ファイルを選んで')])
  }
  // The next upload by anybody purges expired files.
  await upload(summary(row('2026-06-10', 1)))
  expect(fs.existsSync(file)).toBe(false)
  for (let n = 0; n < 6; n += 1) await upload(summary(row('2026-06-11', n)))
  expect(kept()).toBe(4)
})

test('a file that changed on disk is not published', async () => {
  const { sha256 = '' } = await upload(summary(row('2026-06-12', 1)))
  const before = await ledger()
  fs.writeFileSync(path.join(uploads(), system.rows.users['insight:admin'].uid, sha256), summary(row('2026-06-12', 2)))
  expect(await step('publish', sha256)).toMatchObject({ last: { problem: expect.stringContaining('受付番号') } })
  expect(await ledger()).toEqual(before)
})

test('what cannot be read is refused at once, with what to do, and is not kept', async () => {
  const before = kept()
  expect(await send('', '')).toMatchObject({ status: 422, last: { code: 'ingest/empty' } })
  const workbook = await send('', Buffer.from('504b0304140006000800', 'hex'))
  expect(workbook).toMatchObject({ status: 415, last: { message: expect.stringContaining('CSV で保存') } })
  expect(kept()).toBe(before)
  const unknown = await upload('a,b\n1,2\n')
  expect(unknown).toMatchObject({ dataset: null, message: expect.stringContaining('いちばん近いのは') })
  expect(await step('check', unknown.sha256!, { dataset: 'nothing' })).toMatchObject({ status: 400 })
  expect((await step('check', '0'.repeat(64))).status).toBe(410)
  expect((await send('/x/check', '{}')).status).toBe(404)
})

test('a sender who goes away leaves nothing', async () => {
  const before = kept()
  const headers = { authorization: `Bearer ${token}`, 'content-length': '1000000' }
  const request = http.request(`${system.origins.web}/ingest/uploads`, { method: 'POST', headers })
  request.on('error', () => {})
  request.write('x'.repeat(10_000))
  const works = () => fs.readdirSync(system.dependencies.ingest.context.workFolder)
  await expect.poll(works).toHaveLength(1)
  request.destroy()
  await expect.poll(works).toEqual([])
  expect(kept()).toBe(before)
})

test('only administrators deliver by hand, and nobody in the name of another', async () => {
  const may: string[] = []
  for (const role of [...ROLES, 'nobody'] as const) {
    const as = await system.tokenOf(system.rows.users[role].email)
    const { status } = await send('', summary(row('2026-06-20', 1)), as)
    expect([200, 403]).toContain(status)
    expect((await step('publish', '0'.repeat(64), {}, as)).status).toBe(status === 200 ? 410 : 403)
    if (status === 200) may.push(role)
  }
  expect(may).toEqual(['admin', 'insight:admin'])
  expect((await send('', 'x', null)).status).toBe(401)
  expect((await send('', 'x', 'a.b.c')).status).toBe(401)
  const staff = await system.tokenOf(system.rows.users.admin.email)
  const target = system.rows.users['insight:publisher_admin'].uid
  const start = `mutation ($uid: ID!) { startViewAs(uid: $uid, reason: "問い合わせの確認のため") { uid } }`
  const { json, text } = await system.ask('iam', start, staff, { uid: target })
  expect(json.errors, text).toBeUndefined()
  expect((await send('', 'x', staff)).status).toBe(403)
})

test('the templates are files of their datasets, for Excel', async () => {
  for (const dataset of DATASETS) {
    const response = await fetch(`${system.origins.web}/ingest/templates/${dataset}.csv`)
    expect(response.headers.get('content-disposition')).toContain(`${dataset}.csv`)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf')
    const text = bytes.toString('utf8').slice(1)
    expect(text.split('\r\n')).toHaveLength(3)
    expect(datasetOf(text.split('\r\n')[0]!.split(','))).toBe(dataset)
    const { sha256 = '' } = await upload(bytes)
    const { answer } = await step('check', sha256, { dataset })
    // Where the example's medium and publisher are not registered, that is all that is wrong with it.
    for (const { column } of answer.errors as { column: string }[]) expect(column).toMatch(/^(medium|publisher)_id$/)
  }
  expect((await fetch(`${system.origins.web}/ingest/templates/nothing.csv`)).status).toBe(404)
})

test('a person cannot have a file unpacked as often as the disk allows: some wait, the others are refused', async () => {
  const { sha256 = '' } = await upload(summary(row('2026-05-01', 1)))
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const lock = system.dependencies.ingest.context.withImportLock(() => promise)
  const requested = Array.from({ length: 6 }, () => step('check', sha256))
  const first = await Promise.race(requested)
  expect([first.status, first.last.message]).toEqual([503, expect.stringContaining('もう一度お試しください')])
  release()
  await lock
  const statuses = (await Promise.all(requested)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 503, 503])
})
