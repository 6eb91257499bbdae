import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { statementNumberText } from '@pc/domain/statement/statement.ts'
import { statementCsv } from '@pc/domain/statement/statement-csv.ts'
import { zipArchive } from '@pc/platform/export/zip-file.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { contentHash } from './generate-statements.ts'
import { statementPdf } from './statement-pdf.ts'
import { readEvents, type StatementEventRow, type StatementRow } from './statement-store.ts'

/** `evidence`, for staff: an archive of the document, its events, and its place in the hash chain. */
export const STATEMENT_FORMATS = ['pdf', 'csv', 'evidence'] as const
export type StatementFormat = (typeof STATEMENT_FORMATS)[number]

export interface StatementFile {
  readonly fileName: string
  readonly mimeType: string
  readonly content: Uint8Array
}

export function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The file of one statement, made from its stored content alone. Throws when that content was altered. */
export async function statementFile(
  row: StatementRow,
  format: Exclude<StatementFormat, 'evidence'>,
  isPractice: boolean,
): Promise<StatementFile> {
  verifyContent(row)
  const fileName = `${fileNameOf(row, isPractice)}.${format}`
  if (format === 'pdf') return { fileName, mimeType: 'application/pdf', content: await statementPdf(row, isPractice) }
  return { fileName, mimeType: 'text/csv', content: Buffer.from(statementCsv(row.document, row.hash), 'utf8') }
}

/** Throws when the content does not have the hash that the payee confirmed. */
function verifyContent({ templateVersion, content, hash, id }: StatementRow): void {
  if (contentHash(templateVersion, content) !== hash) throw new Error(`the content of statement ${id} was altered`)
}

/** Number, revision and payee, without characters that file systems do not allow. */
function fileNameOf({ number, revision, payeeName }: StatementRow, isPractice: boolean): string {
  const payee = payeeName
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\\/:*?"<>|.\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, '')
    .trim()
    .slice(0, 40)
  return `${practiceMark(isPractice)}支払通知書_${number}${revision > 0 ? `_改訂${revision}` : ''}${payee === '' ? '' : `_${payee}`}`
}

const practiceMark = (isPractice: boolean): string => (isPractice ? '【練習】' : '')

/**
 * Several statements as one archive, with PDF and CSV of each. `setImmediate` between two documents lets other requests
 * be served, because drawing one blocks the process.
 */
export async function statementBundle(rows: readonly StatementRow[], isPractice: boolean): Promise<StatementFile> {
  const files: StatementFile[] = []
  for (const row of rows) {
    for (const format of ['pdf', 'csv'] as const) {
      files.push(await statementFile(row, format, isPractice))
    }
    await setImmediate()
  }
  const months = rows.map(row => row.month)
  const first = formatYearMonth(Math.min(...months) as YearMonth)
  const last = formatYearMonth(Math.max(...months) as YearMonth)
  const fileName = `${practiceMark(isPractice)}支払通知書_${first}${first === last ? '' : `_${last}`}.zip`
  return { fileName, mimeType: 'application/zip', content: await archiveOf(files) }
}

interface ChainPlace {
  readonly mediumId: bigint
  readonly month: number
  readonly previousHash: string | null
  readonly headHash: string | null
  readonly hash: string | null
}

export interface Evidence {
  readonly events: readonly StatementEventRow[]
  readonly chain: ChainPlace | undefined
}

export async function readEvidence(tx: Transaction, row: StatementRow): Promise<Evidence> {
  const chain = await tx
    .selectFrom('monthStates')
    .select(['mediumId', 'month', 'previousHash', 'headHash', 'hash'])
    .where('mediumId', '=', row.mediumId)
    .where('month', '=', row.month)
    .executeTakeFirst()
  return { events: await readEvents(tx, row.id), chain }
}

/** The archive that proves who agreed to what; a pure function of the stored rows. */
export async function evidenceFile(row: StatementRow, evidence: Evidence, isPractice: boolean): Promise<StatementFile> {
  const pdf = await statementFile(row, 'pdf', isPractice)
  const csv = await statementFile(row, 'csv', isPractice)
  const documents = [
    pdf,
    csv,
    { fileName: '本文.json', content: Buffer.from(row.content, 'utf8') },
    { fileName: '確認記録.json', content: Buffer.from(recordText(row, evidence), 'utf8') },
  ]
  const sums = documents.map(({ fileName, content }) => `${sha256Of(content)}  ${fileName}\n`).join('')
  const content = await archiveOf([...documents, { fileName: 'SHA256SUMS', content: Buffer.from(sums, 'utf8') }])
  return { fileName: `${fileNameOf(row, isPractice)}_証跡.zip`, mimeType: 'application/zip', content }
}

function archiveOf(files: readonly Pick<StatementFile, 'fileName' | 'content'>[]): Promise<Uint8Array> {
  return zipArchive(files.map(({ fileName, content }) => ({ name: fileName, content: [content] })))
}

function recordText(row: StatementRow, { events, chain }: Evidence): string {
  return `${JSON.stringify(
    {
      statement: {
        number: statementNumberText(row.document),
        hash: row.hash,
        hashOf: 'SHA-256( テンプレートの版, 改行, 本文.json )',
        templateVersion: row.templateVersion,
        issuedAt: row.issuedAt.toISOString(),
        issuedOn: row.issuedOn,
        deemedOn: row.deemedOn,
        state: row.state,
        confirmationMethod: row.confirmationMethod,
      },
      events: events.map(event => ({
        event: event.event,
        at: event.at.toISOString(),
        statementHash: event.statementHash,
        actorUid: event.actorUid,
        actorEmail: event.actorEmail,
        sourceAddress: event.sourceAddress,
        text: event.text,
        lines: event.lines,
        resolution: event.resolution,
        adjustmentMonth: event.adjustmentMonth === null ? null : formatYearMonth(event.adjustmentMonth),
      })),
      hashChain: {
        snapshotHash: row.document.snapshotHash,
        mediumId: row.mediumId.toString(),
        month: formatYearMonth(row.month as YearMonth),
        headHash: chain?.headHash ?? null,
        previousMonthHash: chain?.previousHash ?? null,
        monthHash: chain?.hash ?? null,
      },
    },
    null,
    2,
  )}\n`
}
