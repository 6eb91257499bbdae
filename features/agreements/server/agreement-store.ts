import type { Permit } from '@pc/domain/access/decide.ts'
import { rolesSeeing } from '@pc/domain/access/role-duties.ts'
import { AGREEMENT_FIELD_NAMES } from '@pc/domain/agreement/agreement-record.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Clock, thisMonth, today } from '@pc/platform/clock.ts'
import { COMMON_LIST_ORDERS, type Page, splitOrder } from '@pc/platform/graphql/list-arguments.ts'
import { countOf } from '@pc/platform/postgres/count-of.ts'
import type { Database, Reader } from '@pc/platform/postgres/database.ts'
import { isOfOwnAgreement, ownRows } from '@pc/platform/postgres/own-rows.ts'
import { holdsWords, inOrderOf, pageOf, searchOf } from '@pc/platform/postgres/page-of-ids.ts'
import type { Tables } from '@pc/platform/postgres/tables.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { AgreementNeed } from '../agreement-condition.ts'

export const AGREEMENT_ORDERS = [
  ...COMMON_LIST_ORDERS,
  'TERMINATEDAT_ASC',
  'TERMINATEDAT_DESC',
  'ISPAYMENTDISABLED_ASC',
  'ISPAYMENTDISABLED_DESC',
  'NAME_ASC',
  'NAME_DESC',
] as const
export type AgreementOrder = (typeof AGREEMENT_ORDERS)[number]

export interface AgreementFilter {
  /** Agreements that this user works for. The caller must have checked that the viewer may ask about the user. */
  readonly userUid?: string | undefined
  readonly organizationId?: bigint | undefined
  readonly mediumId?: bigint | undefined
  /** Agreements that are not terminated on this day (`isTerminatedOn`). */
  readonly inForceOn?: Day | undefined
  /** Those that are terminated on this day. */
  readonly terminatedOn?: Day | undefined
  /** Those in force on this day whose day of termination is set. */
  readonly terminatingAfter?: Day | undefined
  readonly isPaymentDisabled?: boolean | undefined
  /** Those whose renewal is due on this day (`isRenewalDue`). */
  readonly renewalDueOn?: Day | undefined
  /** Those without an account in use in this month. */
  readonly withoutAccountIn?: YearMonth | undefined
  /** Those with an account in use in this month. */
  readonly withAccountIn?: YearMonth | undefined
  /** Those without a registration number of the payee. */
  readonly withoutRegistration?: true | undefined
  /** Normalised search words; each must occur in the agreement's name or code, or in its organisation's name. */
  readonly words?: readonly string[] | undefined
}

/** When and by whom kind, residence and registration of the payee were confirmed; null: not confirmed. */
export const CONFIRMATION_COLUMNS = ['taxTreatmentConfirmedAt', 'taxTreatmentConfirmedByUid'] as const

type ListPermit = Permit<'read:list', 'insight:agreement.'>

const COLUMN_NAMES = [
  ...AGREEMENT_FIELD_NAMES,
  ...(['id', 'mediumId', 'organizationId', 'createdAt', 'updatedAt', 'revision'] as const),
  ...CONFIRMATION_COLUMNS,
]
const COLUMNS = COLUMN_NAMES.map(name => `a.${name}` as const)

/** The row of an agreement. Its terms by month, accounts and rules are read separately. */
export interface AgreementRow extends Readonly<Pick<Selectable<Tables['agreements']>, (typeof COLUMN_NAMES)[number]>> {
  /** Null when the organisation is not in the viewer's scope. */
  readonly organizationName: string | null
}

const ORDER_COLUMNS = {
  ID: sql`a.id`,
  CREATEDAT: sql`a.created_at`,
  UPDATEDAT: sql`a.updated_at`,
  TERMINATEDAT: sql`a.terminated_at`,
  ISPAYMENTDISABLED: sql`a.is_payment_disabled`,
  NAME: sql`a.name`,
} as const

/** Agreements within the rows of the permit. Ties in the order are broken by id, so that pages never overlap. */
export async function listAgreements(
  database: Database,
  filter: AgreementFilter,
  order: AgreementOrder,
  page: Page,
  permit: ListPermit,
): Promise<{ total: number; nodes: AgreementRow[] }> {
  const [column, direction] = splitOrder(order)
  const reader = database.reader(permit.scope)
  const { userUid, organizationId, mediumId, inForceOn, terminatedOn, isPaymentDisabled, words = [] } = filter
  const liveOn = inForceOn ?? terminatedOn
  const isOfCopy = [
    userUid,
    filter.terminatingAfter,
    filter.renewalDueOn,
    filter.withoutAccountIn,
    filter.withAccountIn,
    filter.withoutRegistration,
  ].every(value => value === undefined)
  const texts = sql<boolean>`(${sql.join(words.map(mentions), sql` and `)})`
  const list = {
    from: sql`agreements a`,
    id: sql`a.id`,
    where: conditionsOf(filter, permit),
    // The search index does not contain registration numbers.
    search: words.some(word => REGISTRATION_NUMBER.test(word))
      ? { holds: texts }
      : await searchOf(reader, {
          ...{ kind: 'agreement', id: sql`a.id`, words, texts },
          scope: permit.scope,
          filters: isOfCopy
            ? {
                organization_id: organizationId,
                medium_id: mediumId,
                ...{ is_live: liveOn === undefined ? undefined : inForceOn !== undefined, live_on: liveOn },
                is_payment_disabled: isPaymentDisabled,
              }
            : undefined,
        }),
    order: ORDER_COLUMNS[column],
    hasOrderNulls: column === 'TERMINATEDAT',
    direction,
    ...page,
  }
  return pageOf(reader, list, async ids => inOrderOf(ids, await findAgreements(reader, ids), row => row.id))
}

/** The filter that finds the agreements with this need today. */
export function filterOfNeed(need: AgreementNeed, clock: Clock): AgreementFilter {
  return need === 'renewal' ? { renewalDueOn: today(clock) } : { withoutAccountIn: thisMonth(clock) }
}

/**
 * A subquery: the number of agreements that {@link listAgreements} finds, for a statement in the permit's scope. Search
 * words are ignored.
 */
export function agreementCount(filter: AgreementFilter, permit: ListPermit, atMost?: number): RawBuilder<bigint> {
  return countOf(sql`agreements a where ${sql.join(conditionsOf(filter, permit), sql` and `)}`, atMost)
}

function conditionsOf(filter: AgreementFilter, permit: ListPermit): RawBuilder<boolean>[] {
  const { userUid, organizationId, mediumId, inForceOn, terminatedOn, terminatingAfter, isPaymentDisabled } = filter
  const { renewalDueOn, withoutAccountIn, withAccountIn, withoutRegistration } = filter
  return [
    scopeCondition(permit),
    ...(organizationId === undefined ? [] : [sql<boolean>`a.organization_id = ${organizationId}`]),
    ...(mediumId === undefined ? [] : [sql<boolean>`a.medium_id = ${mediumId}`]),
    ...(isPaymentDisabled === undefined ? [] : [sql<boolean>`a.is_payment_disabled = ${isPaymentDisabled}`]),
    ...(inForceOn === undefined ? [] : [sql<boolean>`not ${isTerminated(inForceOn)}`]),
    ...(terminatedOn === undefined ? [] : [isTerminated(terminatedOn)]),
    ...(terminatingAfter === undefined
      ? []
      : [sql<boolean>`(a.terminated_at is not null and not ${isTerminated(terminatingAfter)})`]),
    ...(userUid === undefined ? [] : [worksFor(userUid)]),
    ...(renewalDueOn === undefined ? [] : [isRenewalDueOn(renewalDueOn)]),
    ...(withoutRegistration
      ? [sql<boolean>`not (a.is_qualified_invoice_issuer and a.invoice_registration_number is not null)`]
      : []),
    ...(withoutAccountIn === undefined ? [] : [sql<boolean>`not exists (${accountIn(withoutAccountIn)})`]),
    // `offset 0` keeps the planner from a join over all rows, because only the first rows are needed.
    ...(withAccountIn === undefined ? [] : [sql<boolean>`exists (${accountIn(withAccountIn)} offset 0)`]),
  ]
}

function isTerminated(on: Day): RawBuilder<boolean> {
  return sql<boolean>`app.is_terminated(a.terminated_at, ${on}::date)`
}

function accountIn(month: YearMonth): RawBuilder<unknown> {
  return sql`select from agreement_bank_accounts u where u.agreement_id = a.id and u.used_from_month <= ${month}`
}

/**
 * `isRenewalDue` of `domain/agreement/contract-renewal.ts` in SQL; a test compares them. A terminated agreement needs no
 * decision about its renewal.
 */
function isRenewalDueOn(day: Day): RawBuilder<boolean> {
  const lastDay = sql`(make_date(a.contract_end_month / 100, a.contract_end_month % 100, 1) + interval '1 month - 1 day')::date`
  return sql<boolean>`(a.contract_end_month is not null and a.renewal_notice_days is not null and a.terminated_at is null
    and ${day}::date between ${lastDay} - a.renewal_notice_days and ${lastDay})`
}

/** Agreements by id, as far as the scope of the transaction shows them. */
export function findAgreements(reader: Reader, ids: readonly bigint[]): Promise<AgreementRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return reader
    .selectFrom('agreements as a')
    .leftJoin('organizations as o', 'o.id', 'a.organizationId')
    .select(COLUMNS)
    .select('o.name as organizationName')
    .where('a.id', '=', sql<bigint>`any(${ids}::bigint[])`)
    .orderBy('a.id')
    .execute()
}

/** One agreement within the rows of the permit; undefined when there is none. */
export function showAgreement(
  database: Database,
  id: bigint,
  permit: Permit<'read:show', 'insight:agreement.'>,
): Promise<AgreementRow | undefined> {
  return database
    .reader(permit.scope)
    .selectFrom('agreements as a')
    .leftJoin('organizations as o', 'o.id', 'a.organizationId')
    .select(COLUMNS)
    .select('o.name as organizationName')
    .where('a.id', '=', id)
    .where(scopeCondition(permit))
    .executeTakeFirst()
}

/** A search word, in normal form, that begins a registration number. Shorter ones are more likely part of a name or code. */
const REGISTRATION_NUMBER = /^t\d{4,13}$/

function mentions(word: string) {
  const inName = (text: RawBuilder<unknown>) => holdsWords(text, [word])
  const isNumber = REGISTRATION_NUMBER.test(word)
    ? sql<boolean>`starts_with(a.invoice_registration_number, ${word.toUpperCase()})`
    : sql<boolean>`false`
  return sql<boolean>`(${inName(sql`a.search_text`)} or ${isNumber}
    or a.organization_id in (select o.id from organizations o where ${inName(sql`o.search_text`)}))`
}

/** The rows that the permit covers. Row-level security enforces the same a second time. */
function scopeCondition(permit: Permit) {
  return ownRows(permit, {
    organization: id => sql<boolean>`a.organization_id = ${id}`,
    agreements: uid => isOfOwnAgreement(sql`a.id`, uid),
  })
}

/** A publisher's administrator works for all agreements of the organisation, an editor for the assigned ones. */
function worksFor(uid: string) {
  return sql<boolean>`(a.id in (select ua.agreement_id from user_agreements ua where ua.uid = ${uid}::uuid)
    or a.organization_id in (
      select u.organization_id from users u join user_roles ur on ur.uid = u.uid
      where u.uid = ${uid}::uuid and ur.role_name = any(${rolesSeeing('organization')}::text[])))`
}
