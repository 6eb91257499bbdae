import type { Permit } from '@pc/domain/access/decide.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

export const AGREEMENT_ORDERS = [
  'ID_ASC',
  'ID_DESC',
  'CREATEDAT_ASC',
  'CREATEDAT_DESC',
  'UPDATEDAT_ASC',
  'UPDATEDAT_DESC',
  'TERMINATEDAT_ASC',
  'TERMINATEDAT_DESC',
  'ISPAYMENTDISABLED_ASC',
  'ISPAYMENTDISABLED_DESC',
  'NAME_ASC',
  'NAME_DESC',
] as const
export type AgreementOrder = (typeof AGREEMENT_ORDERS)[number]

export interface AgreementFilter {
  /** Agreements that this user works for; the caller has been checked to be allowed to ask. */
  readonly userUid?: string | undefined
  readonly organizationId?: bigint | undefined
  readonly mediumId?: bigint | undefined
  readonly isTerminated?: boolean | undefined
  readonly isPaymentDisabled?: boolean | undefined
  /** In their normal form; each is in the agreement's name or code, or in the name of its organisation. */
  readonly words?: readonly string[] | undefined
}

/** An agreement without its terms by month, its accounts and its rules, which are read when they are asked for. */
export interface AgreementRow {
  readonly id: bigint
  readonly name: string
  readonly code: string
  readonly mediumId: bigint
  readonly organizationId: bigint
  /** Null when the organisation is not in the viewer's scope. */
  readonly organizationName: string | null
  readonly terminatedAt: Date | null
  readonly isPaymentDisabled: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly revision: number
  readonly notes: string | null
  readonly payeeKind: string
  readonly smallSupplierCoverage: string
  readonly freelanceCoverage: string
  readonly isShiftAgreedInWriting: boolean
  readonly isQualifiedInvoiceIssuer: boolean
  readonly invoiceRegistrationNumber: string | null
  readonly acknowledgedLawRuleIds: readonly string[]
}

const COLUMNS = [
  'a.id',
  'a.name',
  'a.code',
  'a.mediumId',
  'a.organizationId',
  'a.terminatedAt',
  'a.isPaymentDisabled',
  'a.createdAt',
  'a.updatedAt',
  'a.revision',
  'a.notes',
  'a.payeeKind',
  'a.smallSupplierCoverage',
  'a.freelanceCoverage',
  'a.isShiftAgreedInWriting',
  'a.isQualifiedInvoiceIssuer',
  'a.invoiceRegistrationNumber',
  'a.acknowledgedLawRuleIds',
] as const

const ORDER_COLUMNS = {
  ID: 'a.id',
  CREATEDAT: 'a.createdAt',
  UPDATEDAT: 'a.updatedAt',
  TERMINATEDAT: 'a.terminatedAt',
  ISPAYMENTDISABLED: 'a.isPaymentDisabled',
  NAME: 'a.name',
} as const

/** Agreements within the rows of the permit. Equal ones are in the order of their id, so pages never overlap. */
export function listAgreements(
  database: Database,
  filter: AgreementFilter,
  order: AgreementOrder,
  page: Page,
  permit: Permit<'read:list', 'insight:agreement.'>,
): Promise<{ total: number; nodes: AgreementRow[] }> {
  const [column, direction] = order.split('_') as [keyof typeof ORDER_COLUMNS, 'ASC' | 'DESC']
  return database.inScope(permit.scope, async tx => {
    const inScope = scopeCondition(permit)
    let rows = tx.selectFrom('agreements as a').where(inScope)
    if (filter.organizationId !== undefined) rows = rows.where('a.organizationId', '=', filter.organizationId)
    if (filter.mediumId !== undefined) rows = rows.where('a.mediumId', '=', filter.mediumId)
    if (filter.isPaymentDisabled !== undefined) rows = rows.where('a.isPaymentDisabled', '=', filter.isPaymentDisabled)
    if (filter.isTerminated !== undefined)
      rows = rows.where('a.terminatedAt', filter.isTerminated ? 'is not' : 'is', null)
    if (filter.userUid !== undefined) rows = rows.where(worksFor(filter.userUid))
    for (const word of filter.words ?? []) rows = rows.where(mentions(word))
    const found = await rows
      .leftJoin('organizations as o', 'o.id', 'a.organizationId')
      .select(COLUMNS)
      .select(eb => ['o.name as organizationName', eb.fn.countAll<bigint>().over().as('total')])
      .orderBy(ORDER_COLUMNS[column], ordering => (direction === 'ASC' ? ordering.asc() : ordering.desc()).nullsLast())
      .orderBy('a.id', direction === 'ASC' ? 'asc' : 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute()
    const total = found[0]?.total
    if (total !== undefined || page.offset === 0) return { total: Number(total ?? 0n), nodes: found }
    const counted = await rows.select(eb => eb.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow()
    return { total: Number(counted.total), nodes: found }
  })
}

/** Agreements by id, as far as the scope of the transaction shows them. */
export function findAgreements(tx: Transaction, ids: readonly bigint[]): Promise<AgreementRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return tx
    .selectFrom('agreements as a')
    .leftJoin('organizations as o', 'o.id', 'a.organizationId')
    .select(COLUMNS)
    .select('o.name as organizationName')
    .where('a.id', 'in', ids)
    .orderBy('a.id')
    .execute()
}

/** One agreement within the rows of the permit; undefined when there is none. */
export function showAgreement(
  database: Database,
  id: bigint,
  permit: Permit<'read:show', 'insight:agreement.'>,
): Promise<AgreementRow | undefined> {
  return database.inScope(permit.scope, tx =>
    tx
      .selectFrom('agreements as a')
      .leftJoin('organizations as o', 'o.id', 'a.organizationId')
      .select(COLUMNS)
      .select('o.name as organizationName')
      .where('a.id', '=', id)
      .where(scopeCondition(permit))
      .executeTakeFirst(),
  )
}

/** A normal form has no wildcards but `_` and `%`, which are taken literally. */
function mentions(word: string) {
  const pattern = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`(a.search_text like ${pattern}
    or a.organization_id in (select found.id from organizations found where found.search_text like ${pattern}))`
}

/** The application's own wall; row-level security repeats it underneath. */
function scopeCondition({ scope }: Permit) {
  switch (scope.kind) {
    case 'all':
      return sql<boolean>`true`
    case 'organization':
      return sql<boolean>`a.organization_id = ${scope.organizationId}`
    case 'agreements':
      return sql<boolean>`a.id in (select ua.agreement_id from user_agreements ua where ua.uid = ${scope.uid}::uuid)`
    case 'self':
      return sql<boolean>`false`
  }
}

/** An administrator of a publisher works for all agreements of the organisation, an editor for the assigned ones. */
function worksFor(uid: string) {
  return sql<boolean>`(a.id in (select ua.agreement_id from user_agreements ua where ua.uid = ${uid}::uuid)
    or a.organization_id in (
      select u.organization_id from users u join user_roles ur on ur.uid = u.uid
      where u.uid = ${uid}::uuid and ur.role_name = 'insight:publisher_admin'))`
}
