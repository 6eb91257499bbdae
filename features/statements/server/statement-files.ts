import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { statementNumberText } from '@pc/domain/statement/statement.ts'
import { statementCsv } from '@pc/domain/statement/statement-csv.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { contentHash } from './generate-statements.ts'
import { statementPdf } from './statement-pdf.ts'
import { readEvents, type StatementEventRow, type StatementRow } from './statement-store.ts'
import { type ZipEntry, zipArchive } from './zip-archive.ts'

/** `evidence`: the document, what was said about it, and its place in the hash chain; for staff. */
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

/** The file of one statement, drawn from what was issued and from nothing else. */
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

/** What the payee confirmed is what is drawn, or nothing is. */
function verifyContent({ templateVersion, content, hash, id }: StatementRow): void {
  if (contentHash(templateVersion, content) !== hash) throw new Error(`the content of statement ${id} was altered`)
}

/** The number, the revision and the payee, without anything that a file system minds. */
function fileNameOf({ number, revision, payeeName }: StatementRow, isPractice: boolean): string {
  const payee = payeeName
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\\/:*?"<>|.\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, '')
    .trim()
    .slice(0, 40)
  return `${practiceMark(isPractice)}支払通知書_${number}${revision > 0 ? `_改訂${revision}` : ''}${payee === '' ? '' : `_${payee}`}`
}

const practiceMark = (isPractice: boolean): string => (isPractice ? '【練習】' : '')

/** Several statements as one archive: PDF and CSV of each. Other requests are served between two documents. */
export async function statementBundle(rows: readonly StatementRow[], isPractice: boolean): Promise<StatementFile> {
  const entries: ZipEntry[] = []
  for (const row of rows) {
    for (const format of ['pdf', 'csv'] as const) {
      const { fileName, content } = await statementFile(row, format, isPractice)
      entries.push({ name: fileName, content })
    }
    await setImmediate()
  }
  const months = rows.map(row => row.month)
  const first = formatYearMonth(Math.min(...months) as YearMonth)
  const last = formatYearMonth(Math.max(...months) as YearMonth)
  const fileName = `${practiceMark(isPractice)}支払通知書_${first}${first === last ? '' : `_${last}`}.zip`
  return { fileName, mimeType: 'application/zip', content: zipArchive(entries) }
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

/** Everything that shows who agreed to what: a pure function of the stored rows. */
export async function evidenceFile(row: StatementRow, evidence: Evidence, isPractice: boolean): Promise<StatementFile> {
  const pdf = await statementFile(row, 'pdf', isPractice)
  const csv = await statementFile(row, 'csv', isPractice)
  const documents: ZipEntry[] = [
    { name: pdf.fileName, content: pdf.content },
    { name: csv.fileName, content: csv.content },
    { name: '本文.json', content: Buffer.from(row.content, 'utf8') },
    { name: '確認記録.json', content: Buffer.from(recordText(row, evidence), 'utf8') },
  ]
  const sums = documents.map(({ name, content }) => `${sha256Of(content)}  ${name}\n`).join('')
  const entries = [...documents, { name: 'SHA256SUMS', content: Buffer.from(sums, 'utf8') }]
  const fileName = `${fileNameOf(row, isPractice)}_証跡.zip`
  return { fileName, mimeType: 'application/zip', content: zipArchive(entries) }
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
