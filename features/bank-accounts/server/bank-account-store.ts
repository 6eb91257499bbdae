import type { Permit } from '@pc/domain/access/decide.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { COMMON_LIST_ORDERS, type Page, splitOrder } from '@pc/platform/graphql/list-arguments.ts'
import { countOf } from '@pc/platform/postgres/count-of.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import { ownRows } from '@pc/platform/postgres/own-rows.ts'
import { holdsWords, inOrderOf, pageOfIds } from '@pc/platform/postgres/page-of-ids.ts'
import { type RawBuilder, sql } from 'kysely'

export const BANK_ACCOUNT_ORDERS = [...COMMON_LIST_ORDERS] as const
export type BankAccountOrder = (typeof BANK_ACCOUNT_ORDERS)[number]
export const BANK_ACCOUNT_STATES = ['requested', 'approved', 'rejected'] as const
export type BankAccountState = (typeof BANK_ACCOUNT_STATES)[number]
export const BANK_ACCOUNT_TYPES = ['ordinary', 'current', 'savings'] as const
export type BankAccountType = (typeof BANK_ACCOUNT_TYPES)[number]

/** An account without its number, which is read on its own: in full it leaves a trace. */
export interface BankAccountRow {
  readonly id: bigint
  readonly organizationId: bigint
  readonly organizationName: string | null
  readonly bankId: bigint
  readonly bankBranchId: bigint
  readonly typeName: string
  readonly holder: string
  readonly state: string
  readonly enabled: boolean
  readonly requestedBy: string | null
  readonly requestedAt: Date
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
  readonly rejectionReason: string | null
  /** Null: not approved, or approved long ago. */
  readonly usableFrom: Day | null
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}
export interface BankAccountFilter {
  readonly organizationId?: bigint | undefined
  readonly state?: BankAccountState | undefined
  readonly enabled?: boolean | undefined
  /** Each is in the holder, or in the name of the bank, the branch or the organisation. */
  readonly words: readonly string[]
}
type ListPermit = Permit<'read:list', 'insight:bank_account.'>

const ORDER_COLUMNS = { ID: sql`b.id`, CREATEDAT: sql`b.created_at`, UPDATEDAT: sql`b.updated_at` } as const

export function listBankAccounts(
  database: Database,
  filter: BankAccountFilter,
  order: BankAccountOrder,
  page: Page,
  permit: ListPermit,
): Promise<{ total: number; nodes: BankAccountRow[] }> {
  const [column, direction] = splitOrder(order)
  return database.inScope(permit.scope, async tx => {
    const { words } = filter
    const { total, ids } = await pageOfIds(tx, {
      from: sql`bank_accounts b left join organizations o on o.id = b.organization_id`,
      id: sql`b.id`,
      where: conditionsOf(filter, permit),
      search: words.length === 0 ? undefined : { holds: sql<boolean>`(${sql.join(words.map(mentions), sql` and `)})` },
      order: ORDER_COLUMNS[column],
      direction,
      ...page,
    })
    const rows = ids.length === 0 ? [] : await accounts(tx).where('b.id', 'in', ids).execute()
    return { total, nodes: inOrderOf(ids, rows, row => row.id) }
  })
}

/** How many accounts {@link listBankAccounts} has, as a subquery of a statement in the permit's scope; words do not count. */
export function bankAccountCount(
  filter: Omit<BankAccountFilter, 'words'>,
  permit: ListPermit,
  atMost?: number,
): RawBuilder<bigint> {
  return countOf(sql`bank_accounts b where ${sql.join(conditionsOf(filter, permit), sql` and `)}`, atMost)
}

function conditionsOf(
  { organizationId, state, enabled }: Omit<BankAccountFilter, 'words'>,
  permit: ListPermit,
): RawBuilder<boolean>[] {
  return [
    scopeCondition(permit),
    ...(organizationId === undefined ? [] : [sql<boolean>`b.organization_id = ${organizationId}`]),
    ...(state === undefined ? [] : [sql<boolean>`b.state = ${sql.lit(state)}`]),
    ...(enabled === undefined ? [] : [sql<boolean>`b.enabled = ${enabled}`]),
  ]
}

/** Accounts by id within the rows of the permit. */
export function findBankAccounts(
  database: Database,
  ids: readonly bigint[],
  permit: ListPermit,
): Promise<Map<bigint, BankAccountRow>> {
  return database.inScope(permit.scope, async tx => {
    const rows = await accounts(tx).where('b.id', 'in', ids).where(scopeCondition(permit)).execute()
    return new Map(rows.map(row => [row.id, row]))
  })
}

/** One account in the scope of the transaction. */
export function findBankAccount(tx: Transaction, id: bigint): Promise<BankAccountRow | undefined> {
  return accounts(tx).where('b.id', '=', id).executeTakeFirst()
}

/** The numbers in full; the caller masks them, or leaves a trace. */
export async function readAccountNumbers(tx: Transaction, ids: readonly bigint[]): Promise<Map<bigint, string>> {
  const rows = await tx.selectFrom('bankAccounts').select(['id', 'number']).where('id', 'in', ids).execute()
  return new Map(rows.map(row => [row.id, row.number]))
}

function accounts(tx: Transaction) {
  return tx
    .selectFrom('bankAccounts as b')
    .leftJoin('organizations as o', 'o.id', 'b.organizationId')
    .select([
      'b.id',
      'b.organizationId',
      'o.name as organizationName',
      'b.bankId',
      'b.bankBranchId',
      'b.typeName',
      'b.holder',
      'b.state',
      sql<boolean>`b.state = 'approved'`.as('enabled'),
      'b.requestedBy',
      'b.requestedAt',
      'b.decidedBy',
      'b.decidedAt',
      'b.rejectionReason',
      'b.usableFrom',
      'b.revision',
      'b.createdAt',
      'b.updatedAt',
    ])
}

/** The application's own wall; row-level security repeats it underneath. */
function scopeCondition(permit: ListPermit) {
  return ownRows(permit, {
    organization: id => sql<boolean>`b.organization_id = ${id}`,
    agreements: () => sql<boolean>`false`,
  })
}

function mentions(word: string) {
  const inName = (text: RawBuilder<unknown>) => holdsWords(text, [word])
  return sql<boolean>`(${inName(sql`b.search_text`)} or ${inName(sql`o.search_text`)}
    or b.bank_id in (select k.id from banks k where ${inName(sql`k.search_text`)})
    or b.bank_branch_id in (select r.id from bank_branches r where ${inName(sql`r.search_text`)}))`
}
