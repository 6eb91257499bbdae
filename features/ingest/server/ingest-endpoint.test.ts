import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import zlib from 'node:zlib'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { csv, ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { ImportAnswer } from './import-answer.ts'
import { dryRunSummary, importSummary, replaySummary } from './import-summary.ts'
import { localIngestAdmin, remoteIngestAdmin } from './ingest-admin.ts'
import { ingestEndpoint } from './ingest-endpoint.ts'
import { createKey, listKeys, revokeKey } from './ingest-key-commands.ts'

const fixture = await ingestFixture({ limits: { sourceBytes: 100_000 } })
const faults: unknown[] = []
const listen = async (access: 'api-key' | 'control-socket') => {
  // Made again for each request, because the fixture changes its store.
  const server = http.createServer(async (request, response) => {
    const endpoint = ingestEndpoint(fixture.context, { access, reportFault: error => `${faults.push(error)}` })
    if (!(await endpoint(request, response))) response.writeHead(418).end()
  })
  const place = access === 'api-key' ? [0, '127.0.0.1'] : [`${fixture.dataDir}/control.sock`]
  await new Promise<void>(resolve => server.listen(...(place as [number, string]), resolve))
  return server
}
const web = await listen('api-key')
const control = await listen('control-socket')
afterAll(async () => {
  web.close()
  control.close()
  await fixture.close()
})
beforeEach(() => fixture.clear())

const { secret } = await createKey(fixture.context, '配信システム')
const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
const CONTENT = csv(
  ['date', 'medium_id', 'publisher_id', 'article_id', 'impression', 'click'],
  [['2026-11-01', 1, 2, 3, 4, 5]],
)

async function post(path: string, body: string | Buffer = CONTENT, headers: Record<string, string> = {}) {
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    body: body as NonNullable<RequestInit['body']>,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'text/csv', ...headers },
  })
  return { status: response.status, headers: response.headers, answer: (await response.json()) as ImportAnswer }
}

describe('who may deliver', () => {
  test.each([
    ['nobody', ''],
    ['a wrong key', `Bearer ${'x'.repeat(47)}`],
    ['an ID token', 'Bearer a.b.c'],
    ['a key in the wrong place', 'Basic abc'],
  ])('%s is refused', async (_name, authorization) => {
    const { status, headers } = await post('/ingest/v1/article-daily', CONTENT, { authorization })
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toContain('Bearer')
    expect((await fixture.figures()).article_day).toEqual([])
  })

  test('a revoked key is refused; keys are stored as hashes only', async () => {
    const made = await createKey(fixture.context, '古い鍵')
    expect(await revokeKey(fixture.context, made.key.id)).toBe(true)
    expect(await revokeKey(fixture.context, made.key.id)).toBe(false)
    expect((await post('/ingest/v1/article-daily', CONTENT, { authorization: `Bearer ${made.secret}` })).status).toBe(
      401,
    )
    const stored = await fixture.context.database.inScope(SYSTEM, tx => tx.selectFrom('apiKeys').selectAll().execute())
    expect(JSON.stringify(stored, (_, value) => (typeof value === 'bigint' ? `${value}` : value))).not.toContain(
      made.secret,
    )
  })

  test('a key without the right is refused', async () => {
    const made = await createKey(fixture.context, '別の用途')
    await fixture.context.database.inScope(SYSTEM, tx =>
      tx
        .updateTable('apiKeys')
        .set({ scopes: ['other'] })
        .where('id', '=', BigInt(made.key.id))
        .execute(),
    )
    expect((await post('/ingest/v1/article-daily', CONTENT, { authorization: `Bearer ${made.secret}` })).status).toBe(
      403,
    )
  })

  test('keys and replays are not for the network', async () => {
    for (const path of ['keys/create?name=x', 'keys/list', 'replay?of=2026-11-01']) {
      expect((await post(`/ingest/v1/${path}`)).status).toBe(404)
    }
  })
})

describe('answers', () => {
  test('articles: a delivery, wrong rows by line, the same again, a comparison with the kept file', async () => {
    const names = ['article_id', 'medium_id', 'medium_article_id', 'publisher_id', 'title', 'url', 'published_at']
    const article = [1, 1, 'a1', 2, '見出し', 'https://news.example/1', '2026-11-01T09:00:00+09:00']
    const content = csv(names, [article])
    const first = await post('/ingest/v1/articles', content)
    expect(first).toMatchObject({ status: 200, answer: { status: 'applied', batch: { rows: 1, firstDay: null } } })
    expect(first.answer.message).toBe('1行を取り込みました。')
    expect(await post('/ingest/v1/articles', content)).toMatchObject({ status: 200, answer: { status: 'unchanged' } })
    const figure = ['2026-11-01', 1, 2, 1, 4, 5]
    await post(
      '/ingest/v1/article-daily',
      csv(['date', 'medium_id', 'publisher_id', 'article_id', 'impression', 'click'], [figure]),
    )
    const moved = await post('/ingest/v1/articles', csv(names, [article.with(3, 3)]))
    expect(moved).toMatchObject({ status: 422, answer: { badRows: 1, errors: [{ line: 2, column: 'publisher_id' }] } })
    const report = await remoteIngestAdmin(`${fixture.dataDir}/control.sock`).replay('articles')
    expect(replaySummary(report)).toBe(
      'articles: 元のファイル 1件から作り直しました（保存 1行、再計算 1行）。\n✓ 差異はありません。',
    )
  })

  test('a dry run over the network and by the command says what would be, and the dataset may be left out', async () => {
    const tried = await post('/ingest/v1/auto?dryRun=1')
    expect(tried).toMatchObject({
      status: 200,
      answer: { status: 'acceptable', dataset: 'article-daily', summary: { rows: 1, totals: [{ total: '4' }, {}] } },
    })
    const file = `${fixture.dataDir}/day.csv`
    fs.writeFileSync(file, CONTENT.replace('2026-11-01,1,2', '2026-11-01,1,2000'))
    const request = { dataset: undefined, file, batchId: undefined, replaces: undefined, onProgress: () => {} }
    for (const admin of [remoteIngestAdmin(`${fixture.dataDir}/control.sock`), localIngestAdmin(fixture.context)]) {
      const summary = dryRunSummary('day.csv', await admin.dryRunFile({ ...request, quarantine: false }))
      expect(summary).toMatch(/^✗ day.csv: 1行に誤りがある/)
      expect(summary).toContain('  データセット：article-daily（csv）\n  行数：1行（誤りのある行 1行）')
      expect(summary).toMatch(/2行目 publisher_id: .*2000/)
    }
    expect(await post('/ingest/v1/auto?dryRun=1', 'a,b\n1,2\n')).toMatchObject({ status: 422 })
    const { total } = await fixture.context.database.inScope(SYSTEM, tx =>
      tx
        .selectFrom('ingestBatches')
        .select(({ fn }) => fn.countAll<bigint>().as('total'))
        .executeTakeFirstOrThrow(),
    )
    expect(total).toBe(0n)
    expect(await post('/ingest/v1/auto')).toMatchObject({ answer: { batch: { dataset: 'article-daily' } } })
  })

  test('a delivery, the same again, a correction, an overlap', async () => {
    const first = await post('/ingest/v1/article-daily?batchId=daily')
    expect(first).toMatchObject({
      status: 200,
      answer: { status: 'applied', batch: { id: 'daily', rows: 1, revision: 1 } },
    })
    expect(first.answer.message).toBe('2026年11月1日の1行を取り込みました。')
    const again = await post('/ingest/v1/article-daily', zlib.gzipSync(CONTENT), {
      'x-batch-id': 'daily',
      'content-encoding': 'gzip',
    })
    expect(again).toMatchObject({ status: 200, answer: { status: 'unchanged' } })
    const corrected = await post('/ingest/v1/article-daily', CONTENT.replace(',4,5', ',9,5'), { 'x-batch-id': 'daily' })
    expect(corrected).toMatchObject({ status: 200, answer: { status: 'applied', replaced: 'daily' } })
    expect((await post('/ingest/v1/article-daily?batchId=other', CONTENT)).status).toBe(409)
    expect((await listKeys(fixture.context))[0]?.lastUsedAt).not.toBeNull()
  })

  test('wrong rows, with quarantine', async () => {
    const wrong = `${CONTENT}2026-11-01,1,999,3,4,5\n`
    const refused = await post('/ingest/v1/article-daily', wrong)
    expect(refused).toMatchObject({ status: 422, answer: { status: 'refused', badRows: 1 } })
    expect(refused.answer.errors).toEqual([
      {
        line: 3,
        column: 'publisher_id',
        message:
          'publisher_id（パブリッシャーID）の「999」は登録されていません。先にパブリッシャーを登録するか、IDを直してください。',
      },
    ])
    const taken = await post('/ingest/v1/article-daily?quarantine=1', wrong)
    expect(taken).toMatchObject({ status: 200, answer: { status: 'applied', badRows: 1, batch: { quarantined: 1 } } })
    expect(importSummary('a.csv', taken.answer, 2)).toContain('（1行は除きました）')
  })

  test.each([
    ['an unknown dataset', '/ingest/v1/clicks', {}, CONTENT, 404],
    ['a path trick', '/ingest/v1/..%2F..%2Fetc', {}, CONTENT, 404],
    ['a wrong content type', '/ingest/v1/article-daily', { 'content-type': 'image/png' }, CONTENT, 415],
    [
      'a wrong character set',
      '/ingest/v1/article-daily',
      { 'content-type': 'text/csv; charset=shift_jis' },
      CONTENT,
      415,
    ],
    ['an unknown encoding', '/ingest/v1/article-daily', { 'content-encoding': 'br' }, CONTENT, 415],
    ['too much', '/ingest/v1/article-daily', {}, 'x'.repeat(200_000), 413],
    ['a wrong batch id', '/ingest/v1/article-daily?batchId=%20', {}, CONTENT, 400],
    ['an unknown predecessor', '/ingest/v1/article-daily?replaces=nothing', {}, CONTENT, 409],
  ])('%s', async (_name, path, headers, body, expected) => {
    const { status, answer } = await post(path, body, headers as Record<string, string>)
    expect(status).toBe(expected)
    expect(answer.message).toMatch(/[ぁ-ん]/)
  })

  test('another method; a path that is not ours; a sender that goes away', async () => {
    const headers = { authorization: `Bearer ${secret}` }
    expect((await fetch(`${origin}/ingest/v1/article-daily`, { headers })).status).toBe(405)
    expect((await fetch(`${origin}/gpc/`, { headers })).status).toBe(418)
    const aborted = new AbortController()
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(CONTENT))
        setTimeout(() => aborted.abort(), 50)
      },
    })
    const init = { method: 'POST', headers, body, duplex: 'half', signal: aborted.signal } as RequestInit
    await expect(fetch(`${origin}/ingest/v1/article-daily`, init)).rejects.toThrow()
    expect((await post('/ingest/v1/article-daily')).status).toBe(200)
    expect(faults).toEqual([])
  })
})

test('the command talks to the running server: import, keys, replay', async () => {
  const admin = remoteIngestAdmin(`${fixture.dataDir}/control.sock`)
  const { writeFileSync } = await import('node:fs')
  writeFileSync(`${fixture.dataDir}/delivery.csv`, CONTENT)
  const steps: string[] = []
  const answer = await admin.importFile({
    dataset: 'article-daily',
    file: `${fixture.dataDir}/delivery.csv`,
    batchId: undefined,
    replaces: undefined,
    quarantine: false,
    onProgress: ({ step }) => steps.push(step),
  })
  expect(answer.status).toBe('applied')
  expect(steps).toContain('receive')
  const made = await admin.createKey('端末')
  expect((await admin.listKeys()).map(key => key.name)).toContain('端末')
  expect(await admin.revokeKey(made.key.id)).toBe(true)
  const report = await admin.replay('2026-11-01' as Parameters<typeof admin.replay>[0])
  expect(report).toMatchObject({ storedRows: 1, rebuiltRows: 1, differences: 0 })
  expect(replaySummary(report)).toContain('差異はありません')
})
