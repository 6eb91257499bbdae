import type { Permit } from '@pc/domain/access/decide.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
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
  /** Pattern of a LIKE, wildcards escaped. */
  readonly pattern?: string | undefined
}

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
  readonly notes: string | null
  readonly feePaidBy: string
  readonly paymentTiming: string
  readonly minimumRevenueType: string
  readonly fixedRevenueYen: bigint
  readonly minimumRevenueYen: bigint
}

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
    if (filter.pattern !== undefined) {
      const { pattern } = filter
      rows = rows.where(eb => eb.or([eb('a.name', 'ilike', pattern), eb('a.code', 'ilike', pattern)]))
    }
    const found = await rows
      .leftJoin('organizations as o', 'o.id', 'a.organizationId')
      .selectAll('a')
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
