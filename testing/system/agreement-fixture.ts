import { addMonths, type YearMonth } from '@pc/domain/month/year-month.ts'
import { systemClock, thisMonth } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { apiFixture } from './api-fixture.ts'

const UPSERT = `mutation M($input: AgreementInput!, $accounts: [AgreementBankAccountInput!], $key: String) {
  upsertAgreement(input: $input, agreementBankAccounts: $accounts, idempotencyKey: $key) {
    id name code revision feePaidBy paymentTiming minimumRevenueType fixedRevenue minimumRevenue payoutThreshold isTerminated
    terminatedAt isPaymentDisabled notes invoiceRegistrationNumber qualifiedInvoiceIssuer
    termsHistory { validFromMonth feePaidBy fixedRevenue }
    agreementBankAccounts { usedFromMonth bankAccountId bankAccount { number holder bank { name } } }
    inUseAgreementBankAccount { bankAccountId }
    lawFindings { ruleId severity isAcknowledged } } }`
interface Agreement {
  readonly id: string
  readonly name: string
  readonly revision: number
  readonly feePaidBy: string
  readonly fixedRevenue: number
  readonly isTerminated: boolean
  readonly notes: string | null
  readonly termsHistory: readonly {
    readonly validFromMonth: number
    readonly feePaidBy: string
    readonly fixedRevenue: number
  }[]
  readonly agreementBankAccounts: readonly { readonly usedFromMonth: number; readonly bankAccountId: string }[]
  readonly inUseAgreementBankAccount: { readonly bankAccountId: string } | null
  readonly lawFindings: readonly { readonly ruleId: string; readonly severity: string }[]
}

/** {@link apiFixture} with agreements of the first organisation. */
export function agreementFixture() {
  const fixture = apiFixture()
  let codes = 0
  return {
    ...fixture,
    get system() {
      return fixture.system
    },
    async upsert(as: string, input: object, more: object = {}) {
      const answer = await fixture.send(as, UPSERT, { input, ...more })
      return { answer, agreement: (answer.json.data as { upsertAgreement?: Agreement } | null)?.upsertAgreement }
    },
    /** All required fields of a new agreement. */
    base: () => ({
      mediumId: '1',
      organizationId: String(fixture.system.rows.a.organizationId),
      name: '新しい契約',
      code: `NEW-${++codes}`,
    }),
    finalize: (mediumId: bigint, month: number) =>
      fixture.system.dependencies.database.inScope(SYSTEM, tx =>
        tx
          .insertInto('monthClosings')
          .values({ mediumId, month, finalizedAt: new Date() })
          .onConflict(conflict => conflict.doNothing())
          .execute(),
      ),
  }
}

/** The current month in Tokyo, moved by `months`. */
export function monthFromNow(months: number): YearMonth {
  return addMonths(thisMonth(systemClock), months)
}
