import type { GranularAction } from '@pc/domain/access/action.ts'
import type { Permit } from '@pc/domain/access/decide.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { StatementState } from '@pc/domain/payment/payment-states.ts'
import type { Statement } from '@pc/domain/statement/statement.ts'
import type { ObjectedLine, Resolution } from '@pc/domain/statement/statement-confirmation.ts'
import { type NumberSearch, numberSearch } from '@pc/domain/statement/statement-search.ts'
import type { TransferPart } from '@pc/domain/transfer/transfer.ts'
import { COMMON_LIST_ORDERS, type Page, splitOrder } from '@pc/platform/graphql/list-arguments.ts'
import { countOf } from '@pc/platform/postgres/count-of.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import { isAmong, isAmongIds } from '@pc/platform/postgres/is-among.ts'
import { ownRows } from '@pc/platform/postgres/own-rows.ts'
import { firstIds, holdsWords, inOrderOf, type Search, searchOf } from '@pc/platform/postgres/page-of-ids.ts'
import type { Tables } from '@pc/platform/postgres/tables.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { statementOfContent } from './generate-statements.ts'

export const STATEMENT_ORDERS = [
  'ISSUEDON_DESC',
  'ISSUEDON_ASC',
  ...COMMON_LIST_ORDERS,
  'MONTH_ASC',
  'MONTH_DESC',
  'TOTAL_ASC',
  'TOTAL_DESC',
  'DEEMEDON_ASC',
  'DEEMEDON_DESC',
] as const
export type StatementOrder = (typeof STATEMENT_ORDERS)[number]
/** Chosen from this list only; never from what a caller writes. */
const ORDER_COLUMNS = {
  ISSUEDON: 's.issued_on',
  ID: 's.id',
  CREATEDAT: 's.issued_at',
  UPDATEDAT: 's.state_changed_at',
  MONTH: 's.month',
  TOTAL: 's.total_yen',
  DEEMEDON: 's.deemed_on',
} as const

/**
 * The filter of statements. The law on electronic records requires a search by date, amount and payee, alone and in
 * combination.
 */
export interface StatementFilter {
  readonly issuedFrom?: Day | undefined
  readonly issuedTo?: Day | undefined
  readonly dueFrom?: Day | undefined
  readonly dueTo?: Day | undefined
  readonly amountFrom?: bigint | undefined
  readonly amountTo?: bigint | undefined
  /** Normalised search words, each found in the payee's name, the number, or the agreement's name or code. */
  readonly words?: readonly string[] | undefined
  readonly organizationId?: bigint | undefined
  readonly monthFrom?: YearMonth | undefined
  readonly monthTo?: YearMonth | undefined
  readonly mediumId?: bigint | undefined
  readonly agreementIds?: readonly bigint[] | undefined
  readonly monthlyPaymentIds?: readonly bigint[] | undefined
  readonly ids?: readonly bigint[] | undefined
  readonly states?: readonly StatementState[] | undefined
}

/** A subquery instead of a join, so that counting a list needs no join. */
const NOTIFIED_AT = sql`(select n.notified_at from statement_notices n where n.statement_id = s.id) as notified_at`

type ReadRow = Omit<StatementRow, 'document'>

export interface StatementRow extends Selectable<Tables['statements']> {
  readonly document: Statement
  /** When the payee was notified; null: not yet. */
  readonly notifiedAt: Date | null
}

export interface StatementList {
  readonly total: number
  readonly sumYen: bigint
  /** The number of statements in each state for the filter without its `states`. */
  readonly counts: Readonly<Record<StatementState, number>>
  readonly nodes: readonly StatementRow[]
}

export type StatementPermit = Permit<GranularAction, 'insight:statement.'>

/** Tested by `features/statements/server/statement-lists.test.ts`. */
export function listStatements(
  database: Database,
  filter: StatementFilter,
  order: StatementOrder,
  page: Page,
  permit: StatementPermit,
): Promise<StatementList> {
  return database.inScope(
    permit.scope,
    async tx => {
      const where = plainConditions(filter, permit)
      const { words = [], states, ...others } = filter
      const inAnyState = plainConditions(others, permit)
      const search = words.length > 0 ? await searchCondition(tx, words, permit) : undefined
      const holds = search?.holds ?? sql<boolean>`true`
      const isKept = permit.scope.kind === 'all' && areCountsKept(filter) && search?.isOfAgreements !== false
      // `app.statement_counts`, which triggers maintain, has the same column names, so the conditions fit both tables.
      const source = isKept ? sql`sum(s.statements)::bigint as count` : sql`count(*) as count`
      const counted = await sql<{ state: StatementState; count: bigint; sumYen: bigint }>`
        select s.state, ${source}, sum(s.total_yen)::bigint as sum_yen
        from ${isKept ? sql`app.statement_counts s` : sql`statements s`}
        where ${sql.join([...inAnyState, holds], sql` and `)} group by s.state`.execute(tx)
      const counts = { issued: 0, confirmed: 0, objected: 0, resolved: 0, replaced: 0 }
      let [sumYen, total] = [0n, 0]
      for (const row of counted.rows) {
        counts[row.state] = Number(row.count)
        if (states && !states.includes(row.state)) continue
        sumYen += row.sumYen
        total += Number(row.count)
      }
      const [column, direction] = splitOrder(order)
      const ids = await firstIds(tx, {
        ...{
          from: sql`statements s`,
          id: sql`s.id`,
          where,
          search: { holds: total > MANY ? (search?.walked ?? holds) : holds, total },
        },
        ...{
          order: sql.raw(ORDER_COLUMNS[column]),
          direction: direction,
          ...page,
        },
      })
      const nodes = inOrderOf(ids, await findStatements(tx, ids, permit), row => row.id)
      return { total, sumYen, counts, nodes }
    },
    { isolation: 'repeatable read', readOnly: true },
  )
}

/** The latest current statements that contain every word. They are not counted, because the result has no pages. */
export function searchStatements(
  database: Database,
  words: readonly string[],
  limit: number,
  permit: StatementPermit,
): Promise<readonly StatementRow[]> {
  if (words.length === 0) return Promise.resolve([])
  return database.inScope(
    permit.scope,
    async tx => {
      const ids = await firstIds(tx, {
        from: sql`statements s`,
        id: sql`s.id`,
        where: [inScope(permit), sql<boolean>`s.state <> 'replaced'`],
        search: walkedSearch(await searchCondition(tx, words, permit)),
        ...{ order: sql`s.issued_on`, direction: 'DESC', limit, offset: 0 },
      })
      return inOrderOf(ids, await findStatements(tx, ids, permit), row => row.id)
    },
    { readOnly: true },
  )
}

/**
 * A subquery: the number of statements that {@link listStatements} finds, for a statement in the permit's scope. Search
 * words are ignored.
 */
export function statementCount(filter: StatementFilter, permit: StatementPermit, atMost?: number): RawBuilder<bigint> {
  return countOf(sql`statements s where ${sql.join(plainConditions(filter, permit), sql` and `)}`, atMost)
}

/** One statement that the permit covers; undefined for every other id. */
export async function findStatement(
  tx: Transaction,
  id: bigint,
  permit: StatementPermit,
): Promise<StatementRow | undefined> {
  const { rows } = await sql<ReadRow>`select s.*, ${NOTIFIED_AT} from statements s
    where s.id = ${id} and ${inScope(permit)}`.execute(tx)
  return rows[0] && withDocument(rows[0])
}

/** The statements with these ids that the permit covers, in the order of their numbers. */
export async function findStatements(
  tx: Transaction,
  ids: readonly bigint[],
  permit: StatementPermit,
): Promise<readonly StatementRow[]> {
  const { rows } = await sql<ReadRow>`select s.*, ${NOTIFIED_AT} from statements s
    where ${isAmongIds(sql`s.id`, ids)} and ${inScope(permit)} order by s.number, s.revision`.execute(tx)
  return rows.map(withDocument)
}

/** The current document of each payment, the one that no revision has replaced, by payment. */
export async function currentStatements(
  tx: Transaction,
  monthlyPaymentIds: readonly bigint[],
  permit: StatementPermit,
): Promise<ReadonlyMap<bigint, StatementRow>> {
  const { rows } = await sql<ReadRow>`select s.*, ${NOTIFIED_AT} from statements s
    where ${isAmongIds(sql`s.monthly_payment_id`, monthlyPaymentIds)} and s.state <> 'replaced'
      and ${inScope(permit)}`.execute(tx)
  return new Map(rows.map(row => [row.monthlyPaymentId, withDocument(row)]))
}

export interface StatementEventRow {
  readonly id: bigint
  readonly event: 'confirm' | 'deem' | 'object' | 'withdraw' | 'resolve' | 'replace' | 'send'
  readonly statementHash: string
  readonly at: Date
  readonly actorUid: string | null
  readonly actorEmail: string | null
  readonly sourceAddress: string | null
  readonly text: string | null
  readonly lines: readonly ObjectedLine[]
  readonly resolution: Resolution | null
  readonly adjustmentMonth: YearMonth | null
}

/** The events of a statement, oldest first. The transaction's scope limits which statements it may read. */
export async function readEvents(tx: Transaction, statementId: bigint): Promise<readonly StatementEventRow[]> {
  const rows = await tx
    .selectFrom('statementEvents')
    .selectAll()
    .where('statementId', '=', statementId)
    .orderBy('id')
    .execute()
  return rows.map(row => ({
    ...row,
    event: row.event as StatementEventRow['event'],
    lines: row.lines as unknown as readonly ObjectedLine[],
    resolution: row.resolution as Resolution | null,
    adjustmentMonth: row.adjustmentMonth as YearMonth | null,
  }))
}

function withDocument(row: ReadRow): StatementRow {
  return { ...row, document: statementOfContent(row.content) }
}

/** The rows that the permit covers; row-level security enforces the same. Publishers' editors may see no statement. */
export function inScope(permit: StatementPermit): RawBuilder<boolean> {
  return ownRows(permit, {
    organization: id => sql<boolean>`s.organization_id = ${id}`,
    agreements: () => sql<boolean>`false`,
  })
}

function plainConditions(filter: StatementFilter, permit: StatementPermit): RawBuilder<boolean>[] {
  const conditions = [inScope(permit)]
  const add = <Value>(value: Value | undefined, condition: (value: Value) => RawBuilder<boolean>) => {
    if (value !== undefined) conditions.push(condition(value))
  }
  add(filter.issuedFrom, day => sql<boolean>`s.issued_on >= ${day}::date`)
  add(filter.issuedTo, day => sql<boolean>`s.issued_on <= ${day}::date`)
  add(filter.dueFrom, day => sql<boolean>`s.due_on >= ${day}::date`)
  add(filter.dueTo, day => sql<boolean>`s.due_on <= ${day}::date`)
  add(filter.amountFrom, yen => sql<boolean>`s.total_yen >= ${yen}`)
  add(filter.amountTo, yen => sql<boolean>`s.total_yen <= ${yen}`)
  add(filter.organizationId, id => sql<boolean>`s.organization_id = ${id}`)
  add(filter.monthFrom, month => sql<boolean>`s.month >= ${month}`)
  add(filter.monthTo, month => sql<boolean>`s.month <= ${month}`)
  add(filter.mediumId, id => sql<boolean>`s.medium_id = ${id}`)
  add(filter.agreementIds, ids => isAmongIds(sql`s.agreement_id`, ids))
  add(filter.monthlyPaymentIds, ids => isAmongIds(sql`s.monthly_payment_id`, ids))
  add(filter.ids, ids => isAmongIds(sql`s.id`, ids))
  add(filter.states, states => isAmong(sql`s.state`, states))
  return conditions
}

/** With more matches than this, reading in the list's order fills a page sooner than reading all matches. */
const MANY = 20_000
/** Filters that `app.statement_counts`, which counts by agreement and state, can answer. Words are checked separately. */
const KEPT: readonly string[] = [
  'words',
  'organizationId',
  'mediumId',
  'agreementIds',
  'states',
] satisfies readonly (keyof StatementFilter)[]

function areCountsKept(filter: StatementFilter): boolean {
  return Object.entries(filter).every(([name, value]) => value === undefined || KEPT.includes(name))
}

interface StatementSearch extends Search {
  /** The same condition in a form that is fast when rows are read in the list's order until a page is full. */
  readonly walked: RawBuilder<boolean>
  /** Whether the words match agreements and payees only, no statement numbers, so that kept counts can be used. */
  readonly isOfAgreements: boolean
}

function walkedSearch({ walked, total }: StatementSearch): Search {
  return { holds: walked, total }
}

/** The condition that every word is in the payee's name or reading, in the agreement's name or code, or in the number. */
async function searchCondition(
  tx: Transaction,
  words: readonly string[],
  permit: StatementPermit,
): Promise<StatementSearch> {
  const conditions: RawBuilder<boolean>[] = []
  const walked: RawBuilder<boolean>[] = []
  const isStaff = permit.scope.kind === 'all'
  let isOfAgreements = true
  let areAllFrequent = isStaff
  for (const word of words) {
    const ids = isStaff ? await namesAsIds(tx, word, permit) : [namesAsTexts(word)]
    const number = numberSearch(word)
    if (ids || number) areAllFrequent = false
    if (number?.beginning !== undefined && !number.isAnyMonth) isOfAgreements = false
    const or = (names: readonly RawBuilder<boolean>[]) =>
      sql<boolean>`(${sql.join([...names, ...(number ? ofNumber(number) : [])], sql` or `)})`
    conditions.push(or(ids ?? [namesAsSet(word)]))
    // Two frequent words may never occur together. Reading in order would then never fill a page, so sets are used.
    walked.push(or(ids ?? [words.length === 1 ? isNamed(word) : namesAsSet(word)]))
  }
  return {
    holds: sql.join<boolean>(conditions, sql` and `),
    walked: sql.join<boolean>(walked, sql` and `),
    isOfAgreements,
    // When all words are frequent, reading in the list's order fills a page soonest.
    ...(areAllFrequent ? { total: Number.POSITIVE_INFINITY } : {}),
  }
}

/** For staff: the agreements and payees that a word names, from the search indexes; undefined when there are too many. */
async function namesAsIds(
  tx: Transaction,
  word: string,
  permit: StatementPermit,
): Promise<RawBuilder<boolean>[] | undefined> {
  const { rows } = await sql<{ ids: bigint[] | null }>`select app.find_payees(${word}) as ids`.execute(tx)
  const payees = rows[0]?.ids
  if (!payees) return undefined
  const found = await searchOf(tx, {
    ...{ kind: 'agreement', id: sql`s.agreement_id`, words: [word], texts: NOT_NAMED },
    ...{ scope: permit.scope, filters: undefined },
  })
  if (!found || found.holds === NOT_NAMED) return undefined
  return [found.holds, isAmongIds(sql`s.organization_id`, payees)]
}
const NOT_NAMED = sql<boolean>`false`

/**
 * {@link namesAsIds} for many names: a hashed set that is built once and probed for each statement. `is true` keeps the
 * planner from turning it into a join, which would sort all matches instead of reading in the list's order.
 */
function namesAsSet(word: string): RawBuilder<boolean> {
  return sql<boolean>`(s.agreement_id in (select app.named_agreements(${word}))) is true`
}

/** {@link namesAsIds} as a test of one statement at a time, for words that almost every statement matches. */
function isNamed(word: string): RawBuilder<boolean> {
  return sql<boolean>`app.is_named_agreement(s.agreement_id, ${word})`
}

/** {@link namesAsIds} for publishers, who see so few statements that no index is needed. */
function namesAsTexts(word: string): RawBuilder<boolean> {
  const holds = (text: RawBuilder<unknown>) => holdsWords(text, [word])
  return sql<boolean>`(${holds(sql`s.payee_search_text`)}
    or exists (select from organizations o where o.id = s.organization_id and ${holds(sql`o.search_text`)})
    or exists (select from agreements a where a.id = s.agreement_id and ${holds(sql`a.search_text`)}))`
}

function ofNumber({ isAnyMonth, months, beginning, agreementId }: NumberSearch): RawBuilder<boolean>[] {
  if (isAnyMonth) return [sql<boolean>`true`]
  // In byte order, `:` follows every digit and the hyphen, so it ends the range of numbers with this beginning.
  const range = sql<boolean>`(s.number collate "C" >= ${beginning} and s.number collate "C" < ${`${beginning}:`})`
  const ofMonths = months && sql<boolean>`s.month between ${months.from} and ${months.to}`
  return [
    ...(beginning === undefined ? [] : [ofMonths ?? range]),
    ...(agreementId === undefined ? [] : [sql<boolean>`s.agreement_id = ${agreementId}`]),
  ]
}

export interface StatementTransfer
  extends Pick<TransferPart, 'withholdingYen' | 'feeBorneByPayeeYen' | 'transferAmountYen'> {
  readonly state: 'exported' | 'paid' | 'returned'
  readonly paidOn: Day | null
  /** The amount of the whole transfer, which may pay other statements too. */
  readonly lineAmountYen: bigint
  /** The amounts that arrive, one for each record; several when the transfer is above the bank's limit. */
  readonly recordAmountsYen: readonly bigint[]
}

/** The latest transfer of a payment that was sent to the bank; null: none was. */
export async function readTransferOf(tx: Transaction, monthlyPaymentId: bigint): Promise<StatementTransfer | null> {
  const { rows } = await sql<StatementTransfer & { recordAmounts: string }>`
    select t.state, t.transfer_amount_yen as line_amount_yen, x.withholding_yen, x.fee_borne_by_payee_yen,
      x.transfer_amount_yen,
      -- Of several records the transfer keeps the first day; it is paid on the last one.
      case when t.record_count = 1 then t.paid_on when t.state <> 'exported' then (
        select max(r.paid_on) from transfer_records r where r.transfer_id = t.id) end as paid_on,
      coalesce((select string_agg(r.amount_yen::text, ' ' order by r.number) from transfer_records r
        where r.transfer_id = t.id and r.replaces is null), t.transfer_amount_yen::text) as record_amounts
    from transfer_payments x join transfers t on t.id = x.transfer_id
    where x.monthly_payment_id = ${monthlyPaymentId} and t.state in ('exported', 'paid', 'returned')
    order by t.id desc limit 1`.execute(tx)
  return (
    rows.map(({ recordAmounts, ...row }) => ({ ...row, recordAmountsYen: recordAmounts.split(' ').map(BigInt) }))[0] ??
    null
  )
}
