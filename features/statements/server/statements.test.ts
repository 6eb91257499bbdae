import { createHash, randomBytes } from 'node:crypto'
import { apiKeySecret } from '@pc/domain/api-key/api-key.ts'
import { day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAdjustment, sampleAgreement, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { codeOf, month, startStatementFixture, textOf } from '@pc/testing/system/statement-fixture.ts'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'

/** Statements of the worked examples over HTTP: what they say to the yen, their files, and who sees them. */
const { system, clock, inBooks, ask, list, close, entered, file } = await startStatementFixture()
afterAll(() => system.close())
const QUALIFIED = { invoiceRegistrationNumber: 'T7123456789012' }
const months = (...values: number[]) => values as YearMonth[]

describe('golden examples', () => {
  test('E1: every field of 支払通知書 兼 仕入明細書', async () => {
    const share = {
      ownAdsRateUnits: 5000,
      ...{ sspRateUnits: 4000, videoSspRateUnits: 3000, liveSspRateUnits: 2500 },
      ...{ isTargetForSspAllocation: true, isTargetForVideoSspAllocation: true, isTargetForLiveSspAllocation: true },
    }
    const agreements = await entered(31n, system.rows.a.organizationId, [
      sampleAgreement(1n, [sampleRule(101n, 0n, { ownAdsMicroYen: 44_567_900_022n, share })], {
        ...QUALIFIED,
        qualifiedMonths: months(202606),
      }),
    ])
    const weights = [{ agreementId: 31_001n, publisherId: 31_101n, weight: 7n }]
    const pool = (jobId: bigint, kind: 'ssp' | 'ssp_video' | 'ssp_live', poolYen: bigint) =>
      ({ jobId, kind, method: 'payment', poolYen, weights }) as const
    await inBooks(tx =>
      tx
        .insertInto('invoiceRegisterResults')
        .values({ registrationNumber: 'T7123456789012', registeredOn: day('2023-10-01'), source: 'test' })
        .execute(),
    )
    await close(
      month(31n, 202606, {
        agreements,
        poolJobs: [pool(1n, 'ssp', 100_001n), pool(2n, 'ssp_video', 30_001n), pool(3n, 'ssp_live', 9_999n)],
      }),
    )
    const { nodes } = await list('insight:publisher_admin', { mediumId: '31' })
    expect(nodes).toMatchObject([
      {
        heading: '支払通知書 兼 仕入明細書',
        number: '202606-031001',
        revision: 0,
        issuedOn: '2026-08-05',
        deemedOn: '2026-08-19',
        dueOn: '2026-07-31',
        state: 'issued',
        stateLabel: '確認待ち',
        payerName: '株式会社サンプル',
        payerRegistrationNumber: 'T4011001098993',
        payeeRegistration: 'T7123456789012',
        agreementName: '契約31001',
        agreementCode: 'C-31001',
        lines: [
          { label: '配信収益（自社広告）', amount: 22_283 },
          { label: '配信収益（SSP広告）', amount: 40_000 },
          { label: '配信収益（動画SSP広告）', amount: 9_000 },
          { label: '配信収益（ライブSSP広告）', amount: 2_499 },
        ],
        taxLines: [{ ratePercent: 10, amount: 73_782, tax: 7_378 }],
        totalWithoutTax: 73_782,
        totalTax: 7_378,
        total: 81_160,
        withholding: 0,
        fee: 0,
        transferAmount: 81_160,
        generatedMonths: [{ month: '2026-06', amount: 73_782 }],
        account: { number: '****567', typeName: '普通' },
      },
    ])
    expect(nodes[0]).toMatchObject({ confirmationClause: expect.stringContaining('2026年8月19日') })
  })

  test('E5: nothing is stated while it is carried; then every carried month, and tax once', async () => {
    const [agreement] = await entered(32n, system.rows.a.organizationId, [
      sampleAgreement(7n, [sampleRule(301n, 0n)], { terms: { payoutThresholdYen: 5_000n } }),
    ])
    for (const [yearMonth, yen] of [
      [202603, 1_233n],
      [202604, 2_111n],
      [202605, 1_999n],
    ] as const) {
      expect((await list('insight:admin', { mediumId: '32' })).total).toBe(0)
      const rules = agreement!.rules.map(rule => ({ ...rule, ownAdsMicroYen: yen * 1_000_000n }))
      await close(month(32n, yearMonth, { agreements: [{ ...agreement!, rules }] }))
    }
    expect((await list('insight:admin', { mediumId: '32' })).nodes).toMatchObject([
      {
        heading: '支払通知書',
        payeeRegistration: '登録なし',
        month: '2026-05',
        totalWithoutTax: 5_343,
        totalTax: 534,
        total: 5_877,
        generatedMonths: [
          { month: '2026-03', amount: 1_233 },
          { month: '2026-04', amount: 2_111 },
          { month: '2026-05', amount: 1_999 },
        ],
      },
    ])
    const [statement] = (await list('insight:admin', { mediumId: '32' })).nodes as unknown as {
      lines: { label: string; amount: number }[]
    }[]
    expect(statement!.lines.find(line => line.label === '前月繰越')?.amount).toBe(3_344)
  })

  test('E7: what was clawed back is a negative carry on the paper', async () => {
    const [agreement] = await entered(33n, system.rows.b.organizationId, [
      sampleAgreement(8n, [sampleRule(401n, 20_000n)]),
    ])
    const adjustments = [sampleAdjustment(33_008n, 33_401n, -35_000n, { reason: 'invalid_traffic' })]
    await close(month(33n, 202606, { agreements: [agreement!], adjustments }))
    const rules = agreement!.rules.map(rule => ({ ...rule, ownAdsMicroYen: 40_000_000_000n }))
    await close(month(33n, 202607, { agreements: [{ ...agreement!, rules }] }))
    const { nodes } = await list('ofB', { mediumId: '33' })
    expect(nodes).toMatchObject([{ number: '202607-033008', totalWithoutTax: 25_000, totalTax: 2_500, total: 27_500 }])
    const { lines } = nodes[0] as unknown as { lines: { label: string; amount: number }[] }
    expect(lines.filter(line => line.amount !== 0)).toEqual([
      { label: '配信収益（自社広告）', amount: 40_000 },
      { label: '前月繰越', amount: -15_000 },
    ])
  })

  test('the fee and the tax that are taken off belong to the paper', async () => {
    const [agreement] = await entered(34n, system.rows.a.organizationId, [
      sampleAgreement(15n, [sampleRule(501n, 100_000n)], { terms: { feePaidBy: 'publisher' } }),
    ])
    await inBooks(tx =>
      tx.updateTable('agreements').set({ payeeKind: 'individual' }).where('id', '=', 34_015n).execute(),
    )
    await inBooks(async tx => {
      await tx
        .insertInto('transferFees')
        .values({
          sourceBankCode: '0009',
          destination: 'other_bank',
          validFrom: day('2020-01-01'),
          fromAmountYen: 0n,
          feeYen: 660n,
        })
        .execute()
    })
    await close(month(34n, 202606, { agreements: [agreement!] }))
    expect((await list('insight:admin', { mediumId: '34' })).nodes).toMatchObject([
      { total: 110_000, withholding: 10_210, fee: 660, transferAmount: 99_130 },
    ])
  })
})

describe('files', () => {
  test('the same bytes on another day, after agreement, bank and payer have changed; every download is noted', async () => {
    const [statement] = (await list('insight:admin', { mediumId: '31' })).nodes
    const first = (await file(statement!.id, 'pdf', 'insight:publisher_admin')).file!
    expect(Buffer.from(first.base64, 'base64').subarray(0, 5).toString()).toBe('%PDF-')
    expect(first.fileName).toBe('支払通知書_202606-031001_ALPHA 株式会社.pdf')
    const csv = (await file(statement!.id, 'csv', 'insight:publisher_admin')).file!
    clock.set('2027-03-01T09:00:00+09:00')
    await inBooks(async tx => {
      await tx
        .updateTable('agreements')
        .set({ name: '改名した契約', payeeKind: 'individual' })
        .where('id', '=', 31_001n)
        .execute()
      await tx.updateTable('banks').set({ name: '改名銀行' }).execute()
      await tx.updateTable('statementSettings').set({ payerName: '改名株式会社', deemedConfirmationDays: 30 }).execute()
    })
    expect((await file(statement!.id, 'pdf', 'insight:admin')).file?.sha256).toBe(first.sha256)
    expect((await file(statement!.id, 'csv', 'insight:admin')).file?.sha256).toBe(csv.sha256)
    const text = Buffer.from(csv.base64, 'base64').toString('utf8')
    expect(text.startsWith('\uFEFF番号,')).toBe(true)
    expect(text).toContain(',振込,差引振込金額,,,,81160,')
    await inBooks(async tx => {
      await tx
        .updateTable('statementSettings')
        .set({ payerName: '株式会社サンプル', deemedConfirmationDays: 14 })
        .execute()
    })
    clock.set('2026-08-05T12:00:00+09:00')
    const noted = await inBooks(tx =>
      tx.selectFrom('auditLog').select(['actorUid', 'after']).where('action', '=', 'download').execute(),
    )
    expect(noted).toHaveLength(4)
    expect(JSON.stringify(noted)).toContain('202606-031001')
  })

  test('the evidence names the document, what was said and the place in the chain; it is for staff', async () => {
    const [statement] = (await list('insight:admin', { mediumId: '31' })).nodes
    const { file: zip } = await file(statement!.id, 'evidence', 'insight:viewer')
    const bytes = Buffer.from(zip!.base64, 'base64')
    expect(bytes.readUInt32LE(0)).toBe(0x0403_4b50)
    expect((await file(statement!.id, 'evidence', 'insight:viewer')).file?.sha256).toBe(zip!.sha256)
    expect(codeOf((await file(statement!.id, 'evidence', 'insight:publisher_admin')).answer)).toBe('BAD_REQUEST')
  })

  test('several as one archive, within the own rows', async () => {
    const all = (await list('insight:admin')).nodes.map(each => each.id)
    const bundle = async (as: string) => {
      const answer = await ask('query ($ids: [ID!]!) { statementBundle(ids: $ids) { fileName base64 } }', as, {
        ids: all,
      })
      const { statementBundle } = answer.json.data as { statementBundle: { fileName: string; base64: string } }
      const bytes = Buffer.from(statementBundle.base64, 'base64')
      return { name: statementBundle.fileName, files: bytes.readUInt16LE(bytes.length - 12) }
    }
    expect(await bundle('insight:admin')).toEqual({ name: '支払通知書_2026-05_2026-07.zip', files: all.length * 2 })
    expect((await bundle('ofB')).files).toBe(2)
  })

  test('words that were changed behind the back are not drawn', async () => {
    const [statement] = (await list('insight:admin', { mediumId: '33' })).nodes
    for (const change of [
      sql`update statements set content = replace(content, '27500', '99999')`,
      sql`update statements set total_yen = total_yen + 1`,
      sql`update statements set state = 'resolved'`,
      sql`delete from statements`,
      sql`truncate statements cascade`,
    ]) {
      await expect(inBooks(tx => change.execute(tx))).rejects.toThrow()
    }
    expect((await file(statement!.id, 'pdf', 'ofB')).file).not.toBeNull()
  })
})

const CONFIRM = `mutation ($id: ID!, $hash: String!, $key: String) {
  confirmStatement(id: $id, hash: $hash, idempotencyKey: $key) { state confirmationMethod } }`

describe('rows', () => {
  test('a publisher sees what was issued to it, and a foreign one like one that does not exist', async () => {
    const [own] = (await list('insight:admin', { mediumId: '31' })).nodes
    const [foreign] = (await list('insight:admin', { mediumId: '33' })).nodes
    const seen = async (as: string) => new Set((await list(as)).nodes.map(each => each.number))
    expect((await seen('insight:publisher_admin')).has(own!.number)).toBe(true)
    expect((await seen('insight:publisher_admin')).has(foreign!.number)).toBe(false)
    expect(await seen('ofB')).toEqual(new Set([foreign!.number]))
    const one = (id: string) =>
      ask('query ($id: ID!) { statement(id: $id) { id number } }', 'insight:publisher_admin', { id })
    expect((await one(foreign!.id)).text).toBe((await one('999999')).text)
    const missing = await file('999999', 'pdf', 'insight:publisher_admin')
    expect((await file(foreign!.id, 'pdf', 'insight:publisher_admin')).answer.text).toBe(missing.answer.text)
    const confirm = (id: string) => ask(CONFIRM, 'insight:publisher_admin', { id, hash: foreign!.hash })
    expect(textOf(await confirm(foreign!.id))).toBe(textOf(await confirm('999999')))
    for (const as of ['insight:publisher_editor', 'nobody']) {
      expect(codeOf(await ask('{ statements(limit: 1, offset: 0) { total } }', as))).toBe('FORBIDDEN')
    }
  })

  test("a program's key gets the own statements and files, noted with the key; a foreign one is missing", async () => {
    const [own] = (await list('insight:admin', { mediumId: '31' })).nodes
    const [foreign] = (await list('insight:admin', { mediumId: '33' })).nodes
    const secret = apiKeySecret(randomBytes(32))
    const createdAt = new Date()
    const { id: keyId } = await inBooks(tx =>
      tx
        .insertInto('publisherApiKeys')
        .values({
          ...{ organizationId: system.rows.a.organizationId, name: 'k', scopes: ['payments'], createdAt },
          ...{ secretSha256: createHash('sha256').update(secret).digest(), secretEnd: secret.slice(-4) },
          createdByUid: system.rows.users['insight:publisher_admin'].uid,
          expiresAt: new Date(createdAt.getTime() + 86_400_000),
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    const read = (query: string, as: string, id?: string) => system.ask('insight', query, as, { id })
    const all = '{ statements(limit: 100, offset: 0) { total nodes { number transferAmount } } }'
    const person = await system.tokenOf(system.rows.users['insight:publisher_admin'].email)
    const seen = await read(all, secret)
    expect(seen.text).toBe((await read(all, person)).text)
    expect(seen.text).toContain(own!.number)
    const file = 'query ($id: ID!) { statementFile(id: $id, format: csv) { sha256 } }'
    const got = await read(file, secret, own!.id)
    expect(got.json.errors).toBeUndefined()
    expect((await read(file, secret, foreign!.id)).text).toBe((await read(file, secret, '999999')).text)
    const [noted] = await inBooks(tx =>
      tx.selectFrom('auditLog').select(['actorUid', 'action', 'after']).orderBy('seq', 'desc').limit(1).execute(),
    )
    const { uid } = system.rows.users['insight:publisher_admin']
    expect(noted).toMatchObject({ actorUid: uid, action: 'download' })
    expect(JSON.stringify(noted!.after)).toContain(`apiKeyId`)
    expect(JSON.stringify(noted!.after)).toContain(String(keyId))
    // It reads, and answers nothing.
    const answered = await system.ask('insight', CONFIRM, secret, { id: own!.id, hash: own!.hash })
    expect(codeOf(answered)).toBe('FORBIDDEN')
  })

  test('a payment shows its statement', async () => {
    const answer = await ask(
      '{ monthlyPayments(limit: 10, offset: 0, param: { mediumId: "31" }) { nodes { statement { number stateLabel deemedOn } } } }',
      'insight:publisher_admin',
    )
    expect(answer.json.data).toEqual({
      monthlyPayments: {
        nodes: [{ statement: { number: '202606-031001', stateLabel: '確認待ち', deemedOn: '2026-08-19' } }],
      },
    })
  })

  test('the archive: day, amount and payee, and all of them together', async () => {
    const found = async (param: object, q?: string) =>
      (await list('insight:admin', param, q)).nodes.map(each => each.number)
    const onDay = { issuedFrom: '2026-08-05', issuedTo: '2026-08-05' }
    expect(await found({ ...onDay, amountFrom: 81_160, amountTo: 81_160 }, 'alpha 31001')).toEqual(['202606-031001'])
    expect(await found({ ...onDay, amountFrom: 81_161 }, 'alpha 31001')).toEqual([])
    expect(await found({ issuedTo: '2026-08-04' })).toEqual([])
    expect(await found({ amountTo: 6_000 })).toEqual(['202605-032007'])
    expect(await found({}, '202607-033008')).toEqual(['202607-033008'])
    expect(await found({}, '100%')).toEqual([])
  })
})
