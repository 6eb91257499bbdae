import type { Permit } from '@pc/domain/access/decide.ts'
import { type COMMON_LIST_ORDERS, type Page, splitOrder } from '@pc/platform/graphql/list-arguments.ts'
import type { Database, Reader } from '@pc/platform/postgres/database.ts'
import { holdsWords } from '@pc/platform/postgres/page-of-ids.ts'
import { sql } from 'kysely'

export interface BankRow {
  readonly id: bigint
  readonly code: string
  readonly name: string
  readonly kana: string
  readonly hira: string
  readonly roma: string
  readonly isGone: boolean
}
export interface BankBranchRow extends BankRow {
  readonly bankId: bigint
}
type BankPermit = Permit<'read:list', 'insight:bank_account.'>

const COLUMNS = ['id', 'code', 'name', 'kana', 'hira', 'roma', 'isGone'] as const

/** Undefined: those that begin with what was typed, then by code. */
type ChoiceOrder = (typeof COMMON_LIST_ORDERS)[number] | undefined

/**
 * Banks that can still be chosen and hold every word in code, name or kana. Those whose code or name begins with the
 * first word come first, as a type-ahead expects.
 * Tested by `features/bank-accounts/server/import-bank-master.test.ts`.
 */
export function searchBanks(
  database: Database,
  words: readonly string[],
  order: ChoiceOrder,
  page: Page,
  permit: BankPermit,
): Promise<{ total: number; nodes: BankRow[] }> {
  return database.inScope(permit.scope, async tx => {
    let rows = tx.selectFrom('banks').where('isGone', '=', false)
    if (words.length > 0) rows = rows.where(holdsWords(sql`search_text`, words))
    const found = await rows
      .select(COLUMNS)
      .select(eb => eb.fn.countAll<bigint>().over().as('total'))
      .orderBy(inOrder(order, words))
      .limit(page.limit)
      .offset(page.offset)
      .execute()
    return listOf(found)
  })
}

/** Branches of a bank, like {@link searchBanks}. */
export function searchBranches(
  database: Database,
  bankId: bigint,
  words: readonly string[],
  order: ChoiceOrder,
  page: Page,
  permit: BankPermit,
): Promise<{ total: number; nodes: BankBranchRow[] }> {
  return database.inScope(permit.scope, async tx => {
    let rows = tx.selectFrom('bankBranches').where('bankId', '=', bankId).where('isGone', '=', false)
    if (words.length > 0) rows = rows.where(holdsWords(sql`search_text`, words))
    const found = await rows
      .select([...COLUMNS, 'bankId'])
      .select(eb => eb.fn.countAll<bigint>().over().as('total'))
      .orderBy(inOrder(order, words))
      .limit(page.limit)
      .offset(page.offset)
      .execute()
    return listOf(found)
  })
}

export async function readBanks(reader: Reader, ids: readonly bigint[]): Promise<Map<bigint, BankRow>> {
  const rows = await reader.selectFrom('banks').select(COLUMNS).where('id', 'in', ids).execute()
  return new Map(rows.map(row => [row.id, row]))
}

export async function readBranches(reader: Reader, ids: readonly bigint[]): Promise<Map<bigint, BankBranchRow>> {
  const rows = await reader
    .selectFrom('bankBranches')
    .select([...COLUMNS, 'bankId'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

function listOf<Row>(found: readonly (Row & { readonly total: bigint })[]): { total: number; nodes: Row[] } {
  return { total: Number(found[0]?.total ?? 0n), nodes: [...found] }
}

const ORDER_COLUMNS = { ID: sql`id`, CREATEDAT: sql`created_at`, UPDATEDAT: sql`updated_at` } as const

function inOrder(order: ChoiceOrder, words: readonly string[]) {
  if (order !== undefined) {
    const [name, way] = splitOrder(order)
    const direction = way === 'ASC' ? sql`asc` : sql`desc`
    return sql`${ORDER_COLUMNS[name]} ${direction}, id ${direction}`
  }
  const [first = ''] = words
  return sql`case when search_text like ${`${literal(first)}%`} then 0 when search_text like ${`% ${literal(first)}%`} then 1
    else 2 end, code`
}

function literal(word: string): string {
  return word.replaceAll(/[\\%_]/g, '\\$&')
}
