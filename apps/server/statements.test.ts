import { day } from '@pc/domain/month/day.ts'
import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAdjustment, sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/payment/sample-month.ts'
import type { AgreementInput, MonthInput } from '@pc/domain/payment/settlement-input.ts'
import { computeMonth } from '@pc/features/payments/server/compute-month.ts'
import { importHolidays } from '@pc/features/payments/server/import-holidays.ts'
import { deemStatements } from '@pc/features/statements/server/deem-statements.ts'
import { tellOfStatements } from '@pc/features/statements/server/tell-of-statements.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { bookDividends, changeAgreement, writeAgreements, writeOwnAds } from '@pc/testing/settlement-books.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type SystemUnderTest, startSystemUnderTest } from './system-under-test.ts'

/** Statements of the worked examples over HTTP: what they say to the yen, who sees them, and what is answered. */
let system: SystemUnderTest
const clock = fixedClock('2026-08-05T12:00:00+09:00')
const token = new Map<string, string>()
const QUALIFIED = { invoiceRegistrationNumber: 'T7123456789012' }
const months = (...values: number[]) => values as YearMonth[]

beforeAll(async () => {
  system = await startSystemUnderTest({}, { bookkeepingClock: clock })
  const roles = [
    'insight:admin',
    'insight:editor',
    'insight:viewer',
    'insight:publisher_admin',
    'insight:publisher_editor',
    'ofB',
    'nobody',
  ] as const
  for (const role of roles) token.set(role, await system.tokenOf(system.rows.users[role].email))
  await inBooks(tx =>
    importHolidays(tx, { name: 'sample', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('test')),
  )
})
afterAll(() => system?.close())

const inBooks = <T>(work: (tx: Transaction) => Promise<T>) => system.parts.database.inScope(SYSTEM, work)
const ask = (query: string, as: string, variables?: object): Promise<Answer> =>
  system.ask('insight', query, token.get(as), variables)
const codeOf = (answer: Answer) => answer.json.errors?.[0]?.extensions.code
const textOf = (answer: Answer) => answer.json.errors?.[0]?.message ?? ''

interface Statement {
  readonly id: string
  readonly monthlyPaymentId: string
  readonly number: string
  readonly hash: string
  readonly state: string
  readonly deemedOn: string
  readonly total: number
  readonly revision: number
  readonly confirmationMethod: string | null
}
const FIELDS = `id monthlyPaymentId number numberText revision revisionReason heading month issuedOn dueOn deemedOn state stateLabel
  confirmationMethod payerName payerRegistrationNumber payeeName payeeRegistration agreementName agreementCode hash snapshotHash
  totalWithoutTax totalTax total withholding fee transferAmount confirmationClause lines { label amount }
  taxLines { ratePercent amount tax } generatedMonths { month amount } account { bankName branchName typeName number holder }`

async function list(
  as: string,
  param: object = {},
  q?: string,
): Promise<{ total: number; sum: number; nodes: Statement[] }> {
  const answer = await ask(
    `query ($param: StatementsParam, $q: String) { statements(limit: 100, offset: 0, orderBy: ID_ASC, param: $param, q: $q) { total sum nodes { ${FIELDS} } } }`,
    as,
    { param, q },
  )
  expect(answer.json.errors, answer.text).toBeUndefined()
  return (answer.json.data as { statements: { total: number; sum: number; nodes: Statement[] } }).statements
}

let batchNo = 500n
async function enter(input: MonthInput): Promise<void> {
  const { stats, money } = system.parts
  batchNo += 1n
  await writeOwnAds(stats, [input], batchNo)
  await inBooks(async tx => {
    for (const agreement of input.agreements) await changeAgreement(tx, agreement)
  })
  await bookDividends({ dividends: money.dividends, userUid: system.rows.users['insight:editor'].uid }, input)
  const computed = await computeMonth(money.payments, { mediumId: input.mediumId, month: input.month })
  if (!computed.ok) throw new Error(JSON.stringify(computed.refusals))
}

async function finalize({ mediumId, month }: MonthInput): Promise<Answer> {
  const text = `${Math.trunc(month / 100)}-${String(month % 100).padStart(2, '0')}`
  const found = await ask(
    'query ($month: String!) { monthlyDividendManualOperations(limit: 1, offset: 0, param: { dividendMonth: $month }) { nodes { id } } }',
    'insight:admin',
    { month: text },
  )
  const { nodes } = (found.json.data as { monthlyDividendManualOperations: { nodes: { id: string }[] } })
    .monthlyDividendManualOperations
  return ask(
    'mutation ($id: ID!, $media: [ID!]) { finalizeMonthlyDividendManualOperation(id: $id, mediumIds: $media) { id } }',
    'insight:admin',
    { id: nodes[0]!.id, media: [mediumId.toString()] },
  )
}

async function close(input: MonthInput): Promise<void> {
  await enter(input)
  const closed = await finalize(input)
  expect(closed.json.errors, closed.text).toBeUndefined()
}

/** Agreements on a medium of their own, of the one or the other organisation. */
async function entered(mediumId: bigint, organizationId: bigint, agreements: readonly AgreementInput[]) {
  const moved = agreements.map(agreement => ({
    ...agreement,
    mediumId,
    organizationId,
    agreementId: agreement.agreementId + mediumId * 1_000n,
    accounts: agreement.accounts.map(each => ({ ...each, bankAccountId: each.bankAccountId + mediumId * 100_000n })),
    rules: agreement.rules.map(rule => ({
      ...rule,
      mediumId,
      ruleId: rule.ruleId + mediumId * 10_000n,
      publisherId: rule.publisherId + mediumId * 1_000n,
    })),
  }))
  await inBooks(tx => writeAgreements(tx, [{ mediumId, agreements: moved }]))
  return moved
}
const month = (mediumId: bigint, yearMonth: number, parts: Partial<MonthInput>): MonthInput => ({
  ...sampleMonth(yearMonth, parts),
  mediumId,
})
/** A medium with a month of plain agreements, closed. */
async function closedMonth(mediumId: bigint, yearMonth: number, yens: readonly bigint[], of = system.rows.a) {
  const agreements = await entered(
    mediumId,
    of.organizationId,
    yens.map((yen, index) => sampleAgreement(BigInt(index + 1), [sampleRule(BigInt(index + 101), yen)])),
  )
  await close(month(mediumId, yearMonth, { agreements }))
  return (await list('insight:admin', { mediumId: `${mediumId}` })).nodes
}

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
          { label: '自社広告分', amount: 22_283 },
          { label: 'SSP分', amount: 40_000 },
          { label: '動画SSP分', amount: 9_000 },
          { label: 'ライブSSP分', amount: 2_499 },
          { label: '固定額', amount: 0 },
          { label: '最低保証調整', amount: 0 },
          { label: '調整額', amount: 0 },
          { label: '前月繰越', amount: 0 },
          { label: '次月繰越', amount: 0 },
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
      { label: '自社広告分', amount: 40_000 },
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
    await close(month(34n, 202606, { agreements: [agreement!] }))
    // Without a price list the fee is not known: the payment waits without a statement, and the list says why.
    expect((await list('insight:admin', { mediumId: '34' })).total).toBe(0)
    const waiting = await ask('{ paymentsWithoutStatement { mediumId reasons } }', 'insight:admin')
    const { paymentsWithoutStatement } = waiting.json.data as {
      paymentsWithoutStatement: { mediumId: string; reasons: string[] }[]
    }
    expect(paymentsWithoutStatement.find(row => row.mediumId === '34')?.reasons[0]).toContain('手数料表')
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
    const issued = await ask('mutation { issueStatements(month: "2026-06") }', 'insight:admin')
    expect(issued.json.data).toEqual({ issueStatements: 1 })
    expect((await list('insight:admin', { mediumId: '34' })).nodes).toMatchObject([
      { total: 110_000, withholding: 10_210, fee: 660, transferAmount: 99_130 },
    ])
  })
})

async function file(id: string, format: string, as: string) {
  const answer = await ask(
    'query ($id: ID!, $format: StatementFormat!) { statementFile(id: $id, format: $format) { fileName mimeType base64 sha256 } }',
    as,
    { id, format },
  )
  const found = answer.json.data as {
    statementFile: { fileName: string; mimeType: string; base64: string; sha256: string } | null
  } | null
  return { answer, file: found?.statementFile ?? null }
}

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

const CONFIRM = `mutation ($id: ID!, $hash: String!, $key: String) {
  confirmStatement(id: $id, hash: $hash, idempotencyKey: $key) { state confirmationMethod } }`
const OBJECT = `mutation ($id: ID!, $hash: String!, $text: String, $lines: [ObjectedLineInput!], $key: String) {
  objectToStatement(id: $id, hash: $hash, text: $text, lines: $lines, idempotencyKey: $key) { state } }`
const RESOLVE = `mutation ($id: ID!, $resolution: StatementResolution!, $text: String!, $month: String) {
  resolveStatement(id: $id, resolution: $resolution, text: $text, adjustmentMonth: $month) { state } }`
const eventsOf = (id: string) =>
  inBooks(tx =>
    tx.selectFrom('statementEvents').selectAll().where('statementId', '=', BigInt(id)).orderBy('id').execute(),
  )

describe('answering', () => {
  test('confirmed: the very text, by whom, when and from where; 20 at the same time are one', async () => {
    const [statement] = await closedMonth(41n, 202606, [10_000n])
    const { id, hash } = statement!
    expect(textOf(await ask(CONFIRM, 'insight:admin', { id, hash }))).toContain('支払先の方だけ')
    expect(textOf(await ask(CONFIRM, 'insight:publisher_admin', { id, hash: 'f'.repeat(64) }))).toContain('差し替え')
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => ask(CONFIRM, 'insight:publisher_admin', { id, hash })),
      ...Array.from({ length: 10 }, () => ask(OBJECT, 'insight:publisher_admin', { id, hash, text: '違います' })),
    ])
    expect(answers.filter(answer => !answer.json.errors)).toHaveLength(1)
    expect(new Set(answers.filter(answer => answer.json.errors).map(codeOf))).toEqual(new Set(['BAD_REQUEST']))
    const events = await eventsOf(id)
    expect(events).toHaveLength(1)
    const { uid, email } = system.rows.users['insight:publisher_admin']
    expect(events[0]).toMatchObject({ statementHash: hash, actorUid: uid, actorEmail: email })
    expect(events[0]!.sourceAddress).toMatch(/127\.0\.0\.1|::1/)
    expect(events[0]!.at.getTime()).toBe(clock.now())
  })

  test('the same submission twenty times is one answer', async () => {
    const [statement] = await closedMonth(42n, 202606, [10_000n])
    const variables = { id: statement!.id, hash: statement!.hash, key: 'confirm-once' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask(CONFIRM, 'insight:publisher_admin', variables)),
    )
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
    expect(answers[0]!.json.data).toEqual({ confirmStatement: { state: 'confirmed', confirmationMethod: 'explicit' } })
    expect(await eventsOf(statement!.id)).toHaveLength(1)
  })

  test('objected by line, answered by a later month; the document never changes', async () => {
    const [statement] = await closedMonth(43n, 202606, [10_000n])
    const { id, hash } = statement!
    const before = (await file(id, 'pdf', 'insight:admin')).file!.sha256
    const wrong = { id, hash, lines: [{ label: '存在しない明細', reason: 'x' }] }
    expect(textOf(await ask(OBJECT, 'insight:publisher_admin', wrong))).toContain('存在しない明細')
    const lines = [{ label: '自社広告分', reason: '動画の再生が含まれていません' }]
    const objected = await ask(OBJECT, 'insight:publisher_admin', { id, hash, lines })
    expect(objected.json.data).toEqual({ objectToStatement: { state: 'objected' } })
    clock.set('2026-12-01T12:00:00+09:00')
    await deemStatements(system.parts.database, clock)
    clock.set('2026-08-05T12:00:00+09:00')
    expect((await list('insight:admin', { ids: [id] })).nodes[0]!.state).toBe('objected')
    const text = '7月分の調整でお支払いします。'
    const early = { id, resolution: 'adjusted_later', text, month: '2026-06' }
    expect(textOf(await ask(RESOLVE, 'insight:editor', early))).toContain('後の月')
    expect(textOf(await ask(RESOLVE, 'insight:publisher_admin', early))).toContain('支払元')
    const resolved = await ask(RESOLVE, 'insight:editor', { ...early, month: '2026-07' })
    expect(resolved.json.data).toEqual({ resolveStatement: { state: 'resolved' } })
    expect((await file(id, 'pdf', 'insight:admin')).file!.sha256).toBe(before)
    const events = await ask(
      'query ($id: ID!) { statement(id: $id) { events { event actorEmail text lines { label reason } adjustmentMonth } } }',
      'insight:publisher_admin',
      { id },
    )
    expect((events.json.data as { statement: { events: object[] } }).statement.events).toEqual([
      {
        event: 'object',
        actorEmail: system.rows.users['insight:publisher_admin'].email,
        text: null,
        lines,
        adjustmentMonth: null,
      },
      { event: 'resolve', actorEmail: null, text, lines: [], adjustmentMonth: '2026-07' },
    ])
  })

  test('silence counts from the day after the printed one in Tokyo; an answer at the same moment is one of both', async () => {
    clock.set('2026-08-17T12:00:00+09:00')
    const statements = await closedMonth(
      44n,
      202606,
      Array.from({ length: 12 }, () => 5_000n),
    )
    expect(new Set(statements.map(each => each.deemedOn))).toEqual(new Set(['2026-08-31']))
    clock.set('2026-08-31T23:59:59+09:00')
    await deemStatements(system.parts.database, clock)
    expect((await list('insight:admin', { mediumId: '44', states: ['issued'] })).total).toBe(12)
    clock.set('2026-09-01T00:00:00+09:00')
    const { database } = system.parts
    const racing = statements.map(({ id, hash }) => ask(CONFIRM, 'insight:publisher_admin', { id, hash }))
    await Promise.all([...racing, ...Array.from({ length: 4 }, () => deemStatements(database, clock))])
    await deemStatements(database, clock)
    for (const { id } of statements) expect(await eventsOf(id)).toHaveLength(1)
    const { nodes } = await list('insight:admin', { mediumId: '44' })
    expect(new Set(nodes.map(node => node.state))).toEqual(new Set(['confirmed']))
    clock.set('2026-08-05T12:00:00+09:00')
  })

  test('a revision keeps the number, names its reason and is confirmed anew', async () => {
    const [statement] = await closedMonth(45n, 202606, [10_000n])
    const { id, hash } = statement!
    await ask(CONFIRM, 'insight:publisher_admin', { id, hash })
    const revise = (reason: string, as = 'insight:admin') =>
      ask(
        'mutation ($id: ID!, $reason: String!) { reviseStatement(id: $id, reason: $reason) { id numberText state revisionReason hash total } }',
        as,
        { id, reason },
      )
    expect(codeOf(await revise('x', 'insight:editor'))).toBe('FORBIDDEN')
    expect(codeOf(await revise(' '))).toBe('BAD_REQUEST')
    const answers = await Promise.all(Array.from({ length: 8 }, () => revise('支払元の住所の訂正')))
    expect(answers.filter(answer => !answer.json.errors)).toHaveLength(1)
    const { nodes } = await list('insight:publisher_admin', { monthlyPaymentIds: [statement!.monthlyPaymentId] })
    expect(nodes).toMatchObject([
      { id, state: 'replaced', confirmationMethod: 'explicit' },
      { number: statement!.number, revision: 1, state: 'issued', total: statement!.total },
    ])
    expect(textOf(await ask(CONFIRM, 'insight:publisher_admin', { id, hash }))).toContain('現在の状態')
  })
})

describe('closing', () => {
  test('a missing field is red on the board and refuses the close, with what to do', async () => {
    const agreements = await entered(51n, system.rows.a.organizationId, [
      sampleAgreement(1n, [sampleRule(101n, 9_000n)]),
    ])
    const input = month(51n, 202606, { agreements })
    await enter(input)
    const board = async () => {
      const answer = await ask(
        '{ monthCloseBoard(month: "2026-06") { mediumId checks { kind state detail link } } }',
        'insight:admin',
      )
      const rows = (
        answer.json.data as {
          monthCloseBoard: { mediumId: string; checks: { kind: string; state: string; detail: string }[] }[]
        }
      ).monthCloseBoard
      return rows.find(row => row.mediumId === '51')!.checks.find(check => check.kind === 'statements')!
    }
    expect((await board()).state).toBe('green')
    await inBooks(tx => tx.updateTable('statementSettings').set({ validFromMonth: 202701 }).execute())
    expect(await board()).toMatchObject({ state: 'red', detail: expect.stringContaining('支払元の設定') })
    expect(textOf(await finalize(input))).toContain('支払元の設定')
    expect((await list('insight:admin', { mediumId: '51' })).total).toBe(0)
    const state = await inBooks(tx =>
      tx.selectFrom('monthStates').select('state').where('mediumId', '=', 51n).executeTakeFirstOrThrow(),
    )
    expect(state.state).toBe('computed')
    await inBooks(tx => tx.updateTable('statementSettings').set({ validFromMonth: 202012 }).execute())
    // Nobody has said which account the money leaves: the board says where to enter it.
    await inBooks(tx => tx.updateTable('transferSources').set({ validFromMonth: 202701 }).execute())
    expect(await board()).toMatchObject({
      state: 'red',
      detail: expect.stringContaining('振込元の口座'),
      link: '/adjustments/settings',
    })
    expect(textOf(await finalize(input))).toContain('振込元の口座')
    await inBooks(tx => tx.updateTable('transferSources').set({ validFromMonth: 202012 }).execute())
    expect((await finalize(input)).json.errors).toBeUndefined()
  })

  test('the payee hears of it by mail and bell, once', async () => {
    const statements = await closedMonth(52n, 202606, [8_000n, 7_000n])
    const ids = statements.map(each => BigInt(each.id))
    const sent: { to: string; subject: string; text: string }[] = []
    const parts = {
      ...system.parts.money.statements,
      jobs: {
        ...system.parts.jobs,
        enqueue: async (_tx: unknown, _kind: unknown, data: object) => void sent.push(data as never),
      },
    } as unknown as Parameters<typeof tellOfStatements>[0]
    await tellOfStatements(parts, ids)
    await tellOfStatements(parts, ids)
    expect(sent.map(mail => mail.to)).toEqual([system.rows.users['insight:publisher_admin'].email])
    expect(sent[0]!.subject).toContain('2026年6月分の支払通知書')
    expect(sent[0]!.text).toContain('2026年8月19日までに')
    expect(sent[0]!.text).toContain('#/histories/statements/state=unconfirmed')
    const bell = await inBooks(tx =>
      tx
        .selectFrom('announcements as a')
        .innerJoin('announcementTargets as t', 't.announcementId', 'a.id')
        .select(['a.enabled', 'a.level', 't.kind', 't.organizationId'])
        .where('a.title', '=', '2026年6月分の支払通知書を発行しました')
        .execute(),
    )
    const { organizationId } = system.rows.a
    expect(bell).toEqual([{ enabled: true, level: 'info', kind: 'organization', organizationId }])
  })

  test('settings are dated and belong to administrators', async () => {
    const save = (as: string, input: object) =>
      ask(
        'mutation ($input: StatementSettingsInput!) { saveStatementSettings(input: $input) { validFromMonth payerName revision } }',
        as,
        { input },
      )
    const input = {
      validFromMonth: '2026-09',
      payerName: ' 株式会社サンプルHD ',
      payerRegistrationNumber: 'Ｔ4011001098993',
      deemedConfirmationDays: 10,
    }
    expect(codeOf(await save('insight:editor', input))).toBe('FORBIDDEN')
    for (const wrong of [
      { payerName: ' ' },
      { payerRegistrationNumber: 'T1' },
      { deemedConfirmationDays: 0 },
      { sourceBankCode: '1' },
      { validFromMonth: '2026-07' },
    ]) {
      expect(codeOf(await save('insight:admin', { ...input, ...wrong }))).toBe('BAD_REQUEST')
    }
    const saved = await save('insight:admin', input)
    expect(saved.json.data).toEqual({
      saveStatementSettings: { validFromMonth: '2026-09', payerName: '株式会社サンプルHD', revision: 1 },
    })
    const settings = await ask('{ statementSettings { payerName } }', 'insight:publisher_admin')
    expect(settings.json.data).toEqual({ statementSettings: [] })
  })
})
