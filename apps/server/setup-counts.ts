import { addMonths } from '@pc/domain/month/year-month.ts'
import { SETUP_COUNT_LIMIT as MAX_COUNT } from '@pc/domain/setup/setup-count.ts'
import { rolesWith } from '@pc/domain/setup/setup-step.ts'
import { peopleCount } from '@pc/features/access/server/user-store.ts'
import { agreementCount } from '@pc/features/agreements/server/agreement-store.ts'
import { bankAccountCount } from '@pc/features/bank-accounts/server/bank-account-store.ts'
import { PAYMENT_DATASET } from '@pc/features/ingest/server/checking/dataset-columns.ts'
import { LIVE_INGEST_KEY_COUNT } from '@pc/features/ingest/server/ingest-key-store.ts'
import { hasDelivery } from '@pc/features/ingest/server/ingest-store.ts'
import { openMediaCount } from '@pc/features/media/server/medium-store.ts'
import { CLOSED_MONTH_COUNT } from '@pc/features/payments/core/server/first-month.ts'
import { knownDueDates } from '@pc/features/payments/core/server/holiday-calendar.ts'
import { SAVED_PAYOUT_COUNT, taxRateCount } from '@pc/features/payments/core/server/month-books.ts'
import { transferFeeCount, transferSourceCount } from '@pc/features/payments/core/server/transfer-settings.ts'
import { liveRuleCount } from '@pc/features/publishers/server/publisher-rule-store.ts'
import { reportEmailCount } from '@pc/features/reports/report-emails/server/report-email-store.ts'
import type { CountSetupTasks } from '@pc/features/setup/server/setup-fields.ts'
import { settingsCount } from '@pc/features/statements/server/statement-settings.ts'
import { statementCount } from '@pc/features/statements/server/statement-store.ts'
import { type Clock, thisMonth, today } from '@pc/platform/clock.ts'
import type { GraphContext } from '@pc/platform/graphql/graph.ts'
import { findPermit } from '@pc/platform/graphql/guard.ts'
import { countOf } from '@pc/platform/postgres/count-of.ts'
import { type RawBuilder, sql } from 'kysely'

interface Clocks {
  readonly clock: Clock
  readonly booksClock: Clock
}

/** Progress of the tasks in the setup guide: a count above 0 means done. Each feature defines what counts. */
export function setupCounts(clocks: Clocks): CountSetupTasks {
  return (context, side) => ({
    ...accountCounts(context, clocks),
    ...(side === 'operator' ? operatorCounts(context, clocks) : publisherCounts(context, clocks)),
  })
}

function operatorCounts(context: GraphContext, { clock, booksClock }: Clocks) {
  const month = thisMonth(booksClock)
  // The first month that can be closed is the previous one.
  const firstToClose = addMonths(month, -1)
  const agreements = findPermit(context, 'read:list', 'insight:agreement.')
  return {
    medium: openMediaCount(today(clock), MAX_COUNT),
    payer: settingsCount(month),
    transfer_source: transferSourceCount(month),
    transfer_fee: transferFeeCount(month),
    tax_rate: taxRateCount(firstToClose),
    // Counts as done once a month was closed.
    tax_period: sql<bigint>`greatest(${SAVED_PAYOUT_COUNT}, least(1, ${CLOSED_MONTH_COUNT}))`,
    // Counts as done once a month was closed; for later months the board reports missing holidays.
    holidays: sql<bigint>`greatest(${knownDueDates(firstToClose)}, least(1, ${CLOSED_MONTH_COUNT}))`,
    delivery: sql<bigint>`${LIVE_INGEST_KEY_COUNT} + ${hasDelivery()}`,
    organization: countOf(sql`organizations`, MAX_COUNT),
    publisher: countOf(sql`publishers`, MAX_COUNT),
    agreement: agreements && agreementCount({ inForceOn: today(clock) }, agreements, MAX_COUNT),
    rule: liveRuleCount(today(clock), MAX_COUNT),
    // Payments need two people: one prepares, another approves and finalises.
    colleague: peopleCount(
      rolesWith({ action: 'write:create', resource: 'insight:bank_account.' }, 'operator'),
      MAX_COUNT,
    ),
    figures: hasDelivery([PAYMENT_DATASET]),
    closed_month: CLOSED_MONTH_COUNT,
  }
}

function publisherCounts(context: GraphContext, { clock }: Clocks) {
  const agreements = findPermit(context, 'read:list', 'insight:agreement.')
  const statements = findPermit(context, 'read:list', 'insight:statement.')
  const own = findPermit(context, 'read:show', 'iam:user.')
  return {
    own_agreement: agreements && agreementCount({ inForceOn: today(clock) }, agreements, MAX_COUNT),
    // A person who confirmed a statement has seen the registration number on it, or that there is none.
    registration_number:
      agreements &&
      statements &&
      sql<bigint>`case ${agreementCount({ inForceOn: today(clock), withoutRegistration: true }, agreements, 1)}
        when 0 then ${agreementCount({ inForceOn: today(clock) }, agreements, MAX_COUNT)}
        else ${statementCount({ states: ['confirmed'] }, statements, MAX_COUNT)} end`,
    report_mail: own && reportEmailCount(own.viewer),
    statement_issued: statements && statementCount({}, statements, MAX_COUNT),
    statement_answered:
      statements && statementCount({ states: ['confirmed', 'objected', 'resolved'] }, statements, MAX_COUNT),
  }
}

/** Counts for both sides; the scope decides which rows are counted. */
function accountCounts(context: GraphContext, { clock }: Clocks) {
  const accounts = findPermit(context, 'read:list', 'insight:bank_account.')
  const agreements = findPermit(context, 'read:list', 'insight:agreement.')
  const assigned = findPermit(context, 'read:list', 'insight:agreement_bank_account.')
  const ofState = (state: 'requested' | 'approved'): RawBuilder<bigint> | undefined =>
    accounts && bankAccountCount({ state }, accounts, MAX_COUNT)
  return {
    account_request: accounts && sql<bigint>`${ofState('requested')} + ${ofState('approved')}`,
    account_approval: ofState('approved'),
    account_assignment:
      agreements &&
      assigned &&
      agreementCount({ inForceOn: today(clock), withAccountIn: thisMonth(clock) }, agreements, MAX_COUNT),
  }
}
