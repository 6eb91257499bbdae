import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { csv } from '@pc/testing/statistics/ingest-fixture.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { INGEST_DATASETS } from '../ingest-condition.ts'
import { DATASETS } from './checking/dataset-columns.ts'
import { createKey } from './ingest-key-commands.ts'

/** Deliveries over HTTP as their senders make them, and what staff sees of them through the API. */
let system: SystemUnderTest
let secret: string
const token = new Map<string, string>()
const MEDIUM = 1n
const HEADER = ['date', 'medium_id', 'publisher_id', 'article_impression', 'article_click']

beforeAll(async () => {
  system = await startSystemUnderTest()
  secret = (await createKey(system.dependencies.ingest.context, '配信システムA')).secret
  for (const role of ['insight:admin', 'insight:viewer', 'insight:publisher_admin', 'iam:admin'] as const)
    token.set(role, await system.tokenOf(system.rows.users[role].email))
})
afterAll(() => system?.close())

async function deliver(path: string, content: string) {
  const response = await fetch(`${system.origins.web}/ingest/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'text/csv' },
    body: content,
  })
  return (await response.json()) as { status: string; message: string }
}
const row = (day: string, impression: unknown, publisherId: bigint = system.rows.a.publisherIds[0]!) => [
  day,
  MEDIUM,
  publisherId,
  impression,
  1,
]
const LIST = `query ($param: IngestBatchesParam, $q: String) { ingestBatches(limit: 50, offset: 0, param: $param, q: $q) { total nodes {
  id dataset batchId revision result apiKeyName rows badRows firstDay lastDay mediumIds } } }`
const ONE = `query ($id: ID!, $limit: Int!, $offset: Int!) { ingestBatch(id: $id) { refusedBecause replacesId replacedById
  errors(limit: $limit, offset: $offset) { total nodes { line column reason sourceText } } } }`
interface Listed {
  readonly total: number
  readonly nodes: readonly { readonly id: string; readonly batchId: string; readonly result: string }[]
}
async function ask<T>(query: string, variables: object, as = 'insight:viewer'): Promise<T> {
  const { json, text } = await system.ask('insight', query, token.get(as), variables)
  expect(json.errors, text).toBeUndefined()
  return json.data as T
}
const list = async (variables: object = {}) => (await ask<{ ingestBatches: Listed }>(LIST, variables)).ingestBatches
const one = (id: string, page = { limit: 100, offset: 0 }) =>
  ask<{ ingestBatch: Record<string, unknown> & { errors: { total: number; nodes: { line: number }[] } } }>(ONE, {
    id,
    ...page,
  }).then(data => data.ingestBatch)

test('every dataset can be chosen', () => {
  expect([...INGEST_DATASETS].map(name => name.replaceAll('_', '-'))).toEqual([...DATASETS])
})

test('what came, by which key, what was wrong with it, and what took its place', async () => {
  expect(await deliver('summary-daily?batchId=day-1&name=1.csv', csv(HEADER, [row('2026-06-01', 10)]))).toMatchObject({
    status: 'applied',
  })
  expect(await deliver('summary-daily?batchId=day-1', csv(HEADER, [row('2026-06-01', 11)]))).toMatchObject({
    status: 'applied',
  })
  const wrong = csv(HEADER, [row('2026-06-02', 10), row('2026-06-02', 'x', 0n), row('2026-6-2', -1)])
  const refused = await deliver('summary-daily?batchId=day-2', wrong)
  expect(refused.status).toBe('refused')
  const aside = csv(HEADER, [row('2026-06-03', 10), row('2026-06-04', '=cmd')])
  expect(await deliver('summary-daily?batchId=day-3&quarantine=1', aside)).toMatchObject({ status: 'applied' })

  const { total, nodes } = await list()
  expect(total).toBe(4)
  const mediumIds = [MEDIUM.toString()]
  const common = { dataset: 'summary_daily', apiKeyName: '配信システムA' }
  expect(nodes).toMatchObject([
    { ...common, batchId: 'day-3', result: 'applied', rows: 2, badRows: 1, firstDay: '2026-06-03', mediumIds },
    { ...common, batchId: 'day-2', result: 'refused', rows: 0, badRows: 2, firstDay: null, mediumIds: [] },
    { ...common, batchId: 'day-1', revision: 2, result: 'applied', badRows: 0 },
    { ...common, batchId: 'day-1', revision: 1, result: 'replaced', rows: 1, lastDay: '2026-06-01' },
  ])
  const [third, second, corrected, first] = nodes.map(node => node.id) as [string, string, string, string]
  const shown = await one(second)
  expect(shown.refusedBecause).toBe(refused.message)
  expect(shown.errors.total).toBe(4)
  expect(shown.errors.nodes.map(error => error.line)).toEqual([3, 3, 4, 4])
  expect(shown.errors.nodes[0]).toMatchObject({
    column: expect.any(String),
    reason: expect.stringContaining('ください'),
    sourceText: expect.stringContaining('2026-06-02'),
  })
  expect((await one(second, { limit: 1, offset: 3 })).errors.nodes.map(error => error.line)).toEqual([4])
  expect((await one(third)).errors.nodes).toMatchObject([{ line: 3, sourceText: expect.stringContaining('=cmd') }])
  expect(await one(corrected)).toMatchObject({ replacesId: first, replacedById: null })
  expect(await one(first)).toMatchObject({ replacesId: null, replacedById: corrected })
})

test('narrowed by what it is, what became of it, its days, and a part of its name', async () => {
  const ids = async (param: object, q?: string) =>
    (await list({ param, ...(q === undefined ? {} : { q }) })).nodes.map(node => `${node.batchId} ${node.result}`)
  expect(await ids({ result: 'refused' })).toEqual(['day-2 refused'])
  expect(await ids({ dataset: 'articles' })).toEqual([])
  expect(await ids({ day: '2026-06-01' })).toEqual(['day-1 applied', 'day-1 replaced'])
  expect(await ids({}, 'DAY-3')).toEqual(['day-3 applied'])
  expect(await ids({}, '%')).toEqual([])
  // Of a refused delivery nobody knows the medium: it may be the one that is looked for.
  expect(await ids({ mediumId: '999' })).toEqual(['day-2 refused'])
  expect((await list({ param: { from: '2020-12-01', to: '2020-12-31' } })).total).toBe(0)
  expect((await list({ param: { from: '2020-12-01', to: '2099-12-31' } })).total).toBe(4)
  expect((await list({ param: { from: '0001-01-01', to: '9999-12-31' } })).total).toBe(4)
})

test('a wrong file that comes again and again keeps its rows once, with the last', async () => {
  const wrong = csv(HEADER, [row('2026-06-05', 'x')])
  for (let n = 0; n < 3; n += 1) await deliver('summary-daily?batchId=again', wrong)
  const { nodes } = await list({ q: 'again' })
  const kept = await Promise.all(nodes.map(async ({ id }) => (await one(id)).errors.total))
  expect(kept).toEqual([1, 0, 0])
  expect(await list({ q: 'again', param: { result: 'refused' } })).toMatchObject({ total: 3, nodes: [{}, {}, {}] })
})

test('one that is left half way is given up by who may deliver, once, and never while anything is imported', async () => {
  const { database, ingest } = system.dependencies
  const abandon = async (id: string, as = 'insight:admin') => {
    const { json } = await system.ask('insight', 'mutation ($id: ID!) { abandonIngestBatch(id: $id) }', token.get(as), {
      id,
    })
    const [error] = json.errors ?? []
    const refusals = error?.extensions.refusals as readonly { readonly code: string }[] | undefined
    return refusals?.[0]?.code ?? error?.extensions.code ?? json.data
  }
  await deliver('summary-daily?batchId=stuck', csv(HEADER, [row('2026-06-06', 7)]))
  const [{ id = '' } = {}] = (await list({ q: 'stuck' })).nodes
  expect(await abandon(id)).toBe('ingest/not-abandonable')
  await database.inScope(SYSTEM, tx =>
    tx.updateTable('ingestBatches').set({ state: 'applying' }).where('batchNo', '=', BigInt(id)).execute(),
  )
  for (const as of ['insight:viewer', 'insight:publisher_admin', 'iam:admin'])
    expect(await abandon(id, as)).toBe('FORBIDDEN')
  expect(await ingest.context.withImportLock(() => abandon(id))).toBe('ingest/busy')
  expect(await abandon('999999')).toBe('record/not-found')
  expect(await Promise.all([abandon(id), abandon(id)])).toContainEqual({ abandonIngestBatch: true })
  expect(await abandon(id)).toBe('ingest/not-abandonable')
  expect(await one(id)).toMatchObject({
    refusedBecause: '反映できないため、中止しました。正しい内容を送り直してください。',
  })
  const noted = await database.inScope(SYSTEM, tx =>
    tx.selectFrom('auditLog').select(['actorUid', 'rowId']).where('action', '=', 'abandon').execute(),
  )
  expect(noted).toEqual([{ actorUid: system.rows.users['insight:admin'].uid, rowId: id }])
  // The same days come again, and the store holds them once.
  await deliver('summary-daily?batchId=stuck-again', csv(HEADER, [row('2026-06-06', 8)]))
  const param = { from: '2026-06-06', to: '2026-06-06' }
  const totals = '{ summaryStats(limit: 1, offset: 0, param: $param) { totals { articleImpressions } } }'
  expect(await ask(`query ($param: SummaryStatsParam!) ${totals}`, { param })).toMatchObject({
    summaryStats: { totals: { articleImpressions: 8 } },
  })
})

test('staff alone sees any of it', async () => {
  for (const as of ['insight:publisher_admin', 'iam:admin']) {
    const { json } = await system.ask('insight', LIST, token.get(as), {})
    expect(json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  }
})
