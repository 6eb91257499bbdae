import fs from 'node:fs'
import path from 'node:path'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { agreementFixture } from '@pc/testing/system/agreement-fixture.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { announceToRoles } from '../../announcements/server/announce-to-roles.ts'
import { remindRenewals } from './remind-renewals-job.ts'

const fixture = agreementFixture()
const { ask, refusals, send, audited } = fixture

const pdf = (text: string) => Buffer.from(`%PDF-1.7\n${text}\nxref\n0 1\ntrailer\n<<>>\nstartxref\n9\n%%EOF\n`)
const UPLOAD = 'query U($size: Int!) { agreementDocumentUploadUrl(sizeBytes: $size) { uploadUrl uploadId } }'
const ADD =
  'mutation A($id: ID!, $upload: String!, $name: String!, $key: String) { addAgreementDocument(agreementId: $id, uploadId: $upload, fileName: $name, idempotencyKey: $key) { id fileName sizeBytes sha256 } }'
const REMOVE = 'mutation R($id: ID!) { removeAgreementDocument(id: $id) { id } }'
const LIST = 'query L($id: ID!) { agreement(id: $id) { documents { id fileName } } }'
interface Upload {
  readonly uploadUrl: string
  readonly uploadId: string
}
interface Document {
  readonly id: string
  readonly fileName: string
}

const addressFor = async (size: number) =>
  (await ask<{ agreementDocumentUploadUrl: Upload }>('insight:editor', UPLOAD, { size })).agreementDocumentUploadUrl

async function put({ uploadUrl }: Upload, bytes: Buffer, type = 'application/pdf') {
  const { pathname, search } = new URL(uploadUrl)
  const url = `${fixture.system.origins.web}${pathname}${search}`
  return (await fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers: { 'content-type': type } })).status
}

async function added(agreementId: bigint, bytes: Buffer, name: string): Promise<Document> {
  const upload = await addressFor(bytes.length)
  expect(await put(upload, bytes)).toBe(201)
  const variables = { id: String(agreementId), upload: upload.uploadId, name }
  return (await ask<{ addAgreementDocument: Document }>('insight:editor', ADD, variables)).addAgreementDocument
}

async function download(as: string | undefined, id: unknown) {
  const token = as && (await fixture.system.tokenOf(as))
  return fetch(`${fixture.system.origins.insight}/agreement-documents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify({ id }),
  })
}

describe('files of agreements', () => {
  test('are sent, listed and saved as they were sent, for staff and for the people of the agreement alone', async () => {
    const { rows } = fixture.system
    const [own = 0n, other = 0n] = rows.a.agreementIds
    const bytes = pdf('<script>alert(1)</script>')
    const document = await added(own, bytes, '契約書 (2026).PDF')
    expect(document).toMatchObject({ fileName: '契約書 (2026).PDF', sizeBytes: bytes.length })
    const [last] = (await audited('insight:agreement.', own)).toReversed()
    expect(last).toMatchObject({ action: 'update', after: { document: '契約書 (2026).PDF', sizeBytes: bytes.length } })

    const listed = async (as: string, id: bigint) =>
      ((await send(as, LIST, { id: String(id) })).json.data as { agreement: { documents: Document[] } | null })
        .agreement?.documents
    for (const as of ['insight:viewer', 'insight:publisher_admin', 'insight:publisher_editor'])
      expect(await listed(as, own), as).toEqual([{ id: document.id, fileName: document.fileName }])
    expect(await listed('ofB', own)).toBeUndefined()

    for (const role of ['insight:viewer', 'insight:publisher_admin', 'insight:publisher_editor'] as const) {
      const answer = await download(rows.users[role].email, document.id)
      expect(answer.status, role).toBe(200)
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition':
          'attachment; filename="contract.pdf"; filename*=UTF-8\'\'%E5%A5%91%E7%B4%84%E6%9B%B8%20%282026%29.PDF',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
    }
    const downloads = (await audited('insight:agreement.', own)).filter(row => row.action === 'download')
    expect(downloads).toHaveLength(3)
    expect(downloads[0]?.after).toMatchObject({ file: '契約書 (2026).PDF', bytes: bytes.length })

    // Somebody else's file, and the editor's organisation's other agreement, are answered as if there were none.
    const foreign = await added(other, pdf('other'), 'b.pdf')
    for (const [email, id] of [
      [rows.users.ofB.email, document.id],
      [rows.users['insight:publisher_editor'].email, foreign.id],
      [rows.users['insight:admin'].email, '999999'],
    ] as const)
      expect((await download(email, id)).status, email).toBe(404)
    expect((await download(undefined, document.id)).status).toBe(401)
    for (const id of [1, '', '1 or 1=1', null, '-1'])
      expect((await download(rows.users['insight:admin'].email, id)).status).toBe(400)
    // A file that is no longer the one that was kept is not handed over.
    const folder = path.join(fixture.system.dependencies.config.dataDir, 'objects/documents')
    const file = fs
      .readdirSync(folder)
      .map(name => path.join(folder, name))
      .find(one => fs.readFileSync(one).equals(bytes))!
    fs.writeFileSync(file, pdf('exchanged'))
    expect((await download(rows.users['insight:viewer'].email, document.id)).status).toBe(503)
    fs.writeFileSync(file, bytes)
    expect((await download(rows.users['insight:viewer'].email, document.id)).status).toBe(200)
    const address = `/agreement-documents?id=${document.id}`
    expect((await fetch(`${fixture.system.origins.insight}${address}`)).status).toBe(405)
  })

  test('are PDFs of the announced size, once each, and are added and taken away by those who keep agreements', async () => {
    const id = fixture.system.rows.a.agreementIds[0] ?? 0n
    const bytes = pdf('once')
    const upload = await addressFor(bytes.length)
    expect(await put(upload, bytes, 'text/html')).toBe(415)
    expect(await put(upload, Buffer.concat([bytes, bytes]))).toBe(413)
    const html = Buffer.from('<html>%PDF-1.7 startxref 0 %%EOF</html>'.padEnd(bytes.length))
    expect(await put(upload, html.subarray(0, bytes.length))).toBe(422)
    expect(await refusals('insight:editor', ADD, { id: String(id), upload: upload.uploadId, name: 'a.pdf' })).toEqual([
      'agreement-document/not-sent uploadId',
    ])
    const forged = upload.uploadUrl.replace(/(signature=)(.)/, (_, name, first) => name + (first === '_' ? '-' : '_'))
    expect(await put({ ...upload, uploadUrl: forged }, bytes)).toBe(403)
    expect(await put(upload, bytes)).toBe(201)
    expect(await put(upload, bytes)).toBe(409)
    const { uploadUrl } = upload
    expect((await fetch(`${fixture.system.origins.web}${new URL(uploadUrl).pathname}`)).status).toBe(404)

    const variables = { id: String(id), upload: upload.uploadId, name: '../..\\甲\u202efdp.exe', key: 'k1' }
    expect(await refusals('insight:editor', ADD, variables)).toEqual(['agreement-document/name-wrong fileName'])
    const twice = { ...variables, name: 'C:\\契約\\甲:乙', key: 'k2' }
    const first = await ask<{ addAgreementDocument: Document }>('insight:editor', ADD, twice)
    expect(first.addAgreementDocument.fileName).toBe('甲_乙.pdf')
    expect(await ask('insight:editor', ADD, twice)).toEqual(first)
    const again = await addressFor(bytes.length)
    expect(await put(again, bytes)).toBe(201)
    expect(await refusals('insight:editor', ADD, { id: String(id), upload: again.uploadId, name: 'c.pdf' })).toEqual([
      'agreement-document/same-content uploadId',
    ])
    for (const size of [0, -1, 20 * 1024 * 1024 + 1])
      expect(await refusals('insight:editor', UPLOAD, { size })).toEqual(['agreement-document/too-large sizeBytes'])
    for (const as of ['insight:viewer', 'insight:publisher_admin'] as const) {
      expect(await refusals(as, UPLOAD, { size: 1 })).toEqual(['FORBIDDEN'])
      expect(await refusals(as, REMOVE, { id: first.addAgreementDocument.id })).toEqual(['FORBIDDEN'])
    }
    await ask('insight:editor', REMOVE, { id: first.addAgreementDocument.id })
    expect(await refusals('insight:editor', REMOVE, { id: first.addAgreementDocument.id })).toEqual([
      'record/not-found id',
    ])
    const { email } = fixture.system.rows.users['insight:admin']
    expect((await download(email, first.addAgreementDocument.id)).status).toBe(404)
    // What was taken away may come back.
    expect(await refusals('insight:editor', ADD, { id: String(id), upload: again.uploadId, name: 'c.pdf' })).toEqual([])
  })
})

describe('the reminder of a contract that ends', () => {
  const mails = () =>
    fixture.system.dependencies.database.inScope(SYSTEM, async tx => {
      const { rows } = await sql<{ to: string; subject: string; text: string }>`
        select data ->> 'to' as to, data ->> 'subject' as subject, data ->> 'text' as text
        from pgboss.job where name = 'mail' and data ->> 'subject' like '【契約更新の確認】%' order by 1`.execute(tx)
      return rows
    })
  const remindOn = (day: string) => {
    const { database, jobs } = fixture.system.dependencies
    const clock = fixedClock(`${day}T07:10:00+09:00`)
    return remindRenewals({ database, jobs, clock, webOrigin: 'http://x.example', announce: announceToRoles })
  }

  test('goes once per term to those who keep agreements, by mail and into the bell', async () => {
    const { agreement } = await fixture.upsert('insight:editor', {
      ...{ ...fixture.base(), name: '更新する契約', contractEndMonth: 203003, renewalNoticeDays: 60 },
      ...{ smallSupplierCoverage: 'not_covered', freelanceCoverage: 'not_covered' },
    })
    if (!agreement) throw new Error('the agreement was refused')
    const { id } = agreement
    expect(await remindOn('2030-01-29')).toBe(0)
    expect(await Promise.all([remindOn('2030-01-30'), remindOn('2030-01-30')])).toSatisfy(
      (counts: number[]) => counts.toSorted().join() === '0,1',
    )
    expect(await remindOn('2030-01-31')).toBe(0)
    const sent = await mails()
    const { users } = fixture.system.rows
    expect(sent.map(mail => mail.to)).toEqual([users['insight:admin'].email, users['insight:editor'].email].toSorted())
    expect(sent[0]?.subject).toBe('【契約更新の確認】「更新する契約」の契約が終了します')
    expect(sent[0]?.text).toContain('2030年3月末で終了、更新の判断は2030年1月30日から')
    expect(sent[0]?.text).toContain(`/managements/agreements/edit/${id}`)
    const bell = await fixture.system.dependencies.database.inScope(SYSTEM, tx =>
      tx
        .selectFrom('announcements as a')
        .innerJoin('announcementTargets as t', 't.announcementId', 'a.id')
        .select(['t.roleName', 'a.endAt'])
        .where('a.title', '=', sent[0]?.subject ?? '')
        .orderBy('t.roleName')
        .execute(),
    )
    expect(bell.map(row => row.roleName)).toEqual(['insight:admin', 'insight:editor'])
    expect(bell[0]?.endAt).toEqual(new Date('2030-03-31T23:59:59+09:00'))

    // A renewed contract has a new term, and a reminder of its own.
    const renewed = { id, contractEndMonth: 203103 }
    expect((await fixture.upsert('insight:editor', renewed)).agreement?.id).toBe(id)
    expect(await remindOn('2030-02-01')).toBe(0)
    expect(await remindOn('2031-03-31')).toBe(1)
    // After its end there is nothing to decide, and a terminated one has been decided on.
    await fixture.upsert('insight:editor', { id, contractEndMonth: 203203 })
    expect(await remindOn('2032-04-01')).toBe(0)
    await fixture.upsert('insight:editor', { id, terminatedAt: '2032-03-01T00:00:00+09:00' })
    expect(await remindOn('2032-03-20')).toBe(0)
    expect(await mails()).toHaveLength(4)
  })

  test('needs an end, a possible number of days, and the right to the terms', async () => {
    const wrong = { ...fixture.base(), renewalNoticeDays: 366 }
    const { answer } = await fixture.upsert('insight:editor', wrong)
    expect(JSON.stringify(answer.json.errors)).toContain('agreement/renewal-notice-out-of-range')
    expect(JSON.stringify(answer.json.errors)).toContain('agreement/contract-end-missing')
    const seen = await send(
      'insight:publisher_admin',
      `{ agreements(limit: 1, offset: 0) { nodes { contractEndMonth } } }`,
    )
    expect(seen.json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  })
})
