import { rolesOf } from '@pc/domain/access/role-duties.ts'
import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import type { AgreementInput, MonthInput } from '@pc/domain/settlement/settlement-input.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { importHolidays } from '@pc/features/payments/core/server/import-holidays.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { expect } from 'vitest'
import { bookManualOperations, changeAgreement, writeAgreements, writeOwnAds } from '../books/settlement-books.ts'
import { type Answer, startSystemUnderTest } from './system-under-test.ts'

export interface IssuedStatement {
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

export const codeOf = (answer: Answer) => answer.json.errors?.[0]?.extensions.code
export const textOf = (answer: Answer) => answer.json.errors?.[0]?.message ?? ''

/** A month of a medium; the rest is filled in from the sample. */
export const month = (mediumId: bigint, yearMonth: number, parts: Partial<MonthInput>): MonthInput => ({
  ...sampleMonth(yearMonth, parts),
  mediumId,
})

/** The system with a clock of its own for the books, and closed months of separate media, for tests of statements. */
export async function startStatementFixture() {
  const clock = fixedClock('2026-08-05T12:00:00+09:00')
  const token = new Map<string, string>()
  const system = await startSystemUnderTest({}, { bookkeepingClock: clock })
  const roles = [...rolesOf('staff', 'reads'), ...rolesOf('publisher', 'reads'), 'ofB', 'nobody'] as const
  for (const role of roles) token.set(role, await system.tokenOf(system.rows.users[role].email))
  const inBooks = <T>(work: (tx: Transaction) => Promise<T>) => system.dependencies.database.inScope(SYSTEM, work)
  const ask = (query: string, as: string, variables?: object): Promise<Answer> =>
    system.ask('insight', query, token.get(as), variables)
  async function list(
    as: string,
    param: object = {},
    q?: string,
  ): Promise<{ total: number; sum: number; nodes: IssuedStatement[] }> {
    const answer = await ask(
      `query ($param: StatementsParam, $q: String) { statements(limit: 100, offset: 0, orderBy: ID_ASC, param: $param, q: $q) { total sum nodes { ${FIELDS} } } }`,
      as,
      { param, q },
    )
    expect(answer.json.errors, answer.text).toBeUndefined()
    return (answer.json.data as { statements: { total: number; sum: number; nodes: IssuedStatement[] } }).statements
  }

  let batchNo = 500n
  async function enter(input: MonthInput): Promise<void> {
    const { stats, money } = system.dependencies
    batchNo += 1n
    await writeOwnAds(stats, [input], batchNo)
    await inBooks(async tx => {
      for (const agreement of input.agreements) await changeAgreement(tx, agreement)
    })
    await bookManualOperations(
      { manualOperations: money.manualOperations, userUid: system.rows.users['insight:editor'].uid },
      input,
    )
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

  /** Writes agreements on a new medium, of one or the other organisation. */
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
  /** Closes a month of plain agreements on a medium. */
  async function closedMonth(mediumId: bigint, yearMonth: number, yens: readonly bigint[], of = system.rows.a) {
    const agreements = await entered(
      mediumId,
      of.organizationId,
      yens.map((yen, index) => sampleAgreement(BigInt(index + 1), [sampleRule(BigInt(index + 101), yen)])),
    )
    await close(month(mediumId, yearMonth, { agreements }))
    return (await list('insight:admin', { mediumId: `${mediumId}` })).nodes
  }

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

  const eventsOf = (id: string) =>
    inBooks(tx =>
      tx.selectFrom('statementEvents').selectAll().where('statementId', '=', BigInt(id)).orderBy('id').execute(),
    )
  await inBooks(tx =>
    importHolidays(tx, { name: 'sample', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('test')),
  )
  return { system, clock, inBooks, ask, list, enter, finalize, close, entered, closedMonth, file, eventsOf }
}
