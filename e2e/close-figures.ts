import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Database, openDatabase, SYSTEM } from '@pc/platform/postgres/database.ts'
import { urlOfRunningPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import { DATABASE_NAME, postgresFolder } from '@pc/platform/postgres/open-postgres.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { SystemAddress } from './running-system.ts'

/** Every record of a transfer file (全銀) has this length. */
const RECORD_BYTES = 120
// Byte positions in a data record of the 総合振込 file: amount, customer code 1 (our number of the transfer), and the
// bank's mark.
const AMOUNT = [80, 90] as const
const NUMBER = [91, 101] as const
const MARK = 113

/** Reads a bank file by byte positions alone, independently of the product's parser, and checks its trailer. */
export function readBankFile(content: Buffer) {
  const records = content
    .toString('latin1')
    .split('\r\n')
    .filter(record => record !== '')
  for (const record of records) expect(record).toHaveLength(RECORD_BYTES)
  expect(records[0]?.slice(0, 3), 'a header of 総合振込').toBe('121')
  const transfers = records
    .filter(record => record.startsWith('2'))
    .map(record => ({ id: BigInt(record.slice(...NUMBER)), amountYen: BigInt(record.slice(...AMOUNT)) }))
  const trailer = records.find(record => record.startsWith('8')) ?? ''
  const totalYen = transfers.reduce((sum, each) => sum + each.amountYen, 0n)
  expect(BigInt(trailer.slice(7, 19)), 'the total of the trailer').toBe(totalYen)
  expect(Number(trailer.slice(1, 7)), 'the count of the trailer').toBe(transfers.length)
  return { transfers, totalYen }
}

/** The bank's answer: the same file with the mark for "paid" in every record. */
export function answerOfBank(content: Buffer): Buffer {
  const lines = content.toString('latin1').split('\r\n')
  const marked = lines.map(line => (line.startsWith('2') ? `${line.slice(0, MARK)}0${line.slice(MARK + 1)}` : line))
  return Buffer.from(marked.join('\r\n'), 'latin1')
}

/** The template of results with every transfer marked as paid. */
export function filledIn(content: Buffer): Buffer {
  const [header = '', ...lines] = content.toString('utf8').trimEnd().split('\r\n')
  const place = header.split(',').indexOf('結果')
  const filled = lines.map(line => line.split(',').with(place, '支払済み').join(','))
  return Buffer.from([header, ...filled, ''].join('\r\n'), 'utf8')
}

interface JournalLine {
  readonly stage: string
  readonly side: string
  readonly account: string
  readonly amountYen: bigint
  readonly reference: string
}

/** Reads the generic journal file, whose cells need no quotes. */
export function readJournal(content: Buffer): readonly JournalLine[] {
  const [header = '', ...lines] = content.toString('utf8').replace('\uFEFF', '').trimEnd().split('\r\n')
  const names = header.split(',')
  const read = lines.map(line => {
    const cells = line.split(',')
    const cell = (name: string) => cells[names.indexOf(name)] ?? ''
    const [stage, side, account, reference] = ['区分', '貸借', '勘定科目', '参照'].map(cell) as [
      string,
      string,
      string,
      string,
    ]
    return { stage, side, account, reference, amountYen: BigInt(cell('金額')) }
  })
  const sumOf = (side: string) => sumYen(read.filter(line => line.side === side))
  expect(sumOf('借方'), 'debits and credits').toBe(sumOf('貸方'))
  return read
}

export function sumYen(lines: readonly { readonly amountYen: bigint }[]): bigint {
  return lines.reduce((sum, line) => sum + line.amountYen, 0n)
}

/** The first day on which something finalised is due. */
export async function firstDueDay(database: Database, month: YearMonth, media: readonly string[]): Promise<string> {
  const { dueOn } = await database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('monthlyPayments')
      .innerJoin('media', 'media.id', 'monthlyPayments.mediumId')
      .select('dueOn')
      .where('month', '=', month)
      .where('media.name', 'in', [...media])
      .where('paymentStatus', '=', 'scheduled')
      .orderBy('dueOn')
      .limit(1)
      .executeTakeFirstOrThrow(),
  )
  return dueOn as string
}

/** The transfers of a batch with the statements of their payments. */
export async function transfersWithStatements(database: Database, batchId: string) {
  const { rows } = await database.inScope(SYSTEM, tx =>
    sql<{ id: bigint; amountYen: bigint; includingYen: bigint; statedYen: bigint; statements: number; feeYen: bigint }>`
      select t.id, t.transfer_amount_yen as amount_yen, t.payment_including_tax_yen as including_yen, t.fee_yen,
        sum(s.total_yen)::bigint as stated_yen, count(s.id)::integer as statements
      from transfers t join transfer_payments p on p.transfer_id = t.id
      left join statements s on s.monthly_payment_id = p.monthly_payment_id and s.state <> 'replaced'
      where t.batch_id = ${batchId}::bigint group by t.id order by t.id`.execute(tx),
  )
  return rows
}

/**
 * Moves the transfer day of a batch to today, even if the bank is closed today. Triggers protect a batch from changes,
 * so the cluster's administrator makes this one.
 */
export async function letTransferDayCome(system: Pick<SystemAddress, 'dataDir'>, batchId: string): Promise<void> {
  const url = urlOfRunningPostgres(postgresFolder(system.dataDir), DATABASE_NAME, 'postgres')
  if (url === undefined) throw new Error('the system’s database does not run')
  const administrator = openDatabase({ url, maxConnections: 1 })
  try {
    await administrator.inScope(SYSTEM, async tx => {
      await sql`set local role none`.execute(tx)
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`update transfer_batches set transfer_on = current_date where id = ${batchId}::bigint`.execute(tx)
    })
  } finally {
    await administrator.close()
  }
}
