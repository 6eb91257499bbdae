import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { ExportRow } from '@pc/domain/spreadsheet/export-column.ts'
import { today } from '@pc/platform/clock.ts'
import type { ExportRequest } from '@pc/platform/export/export-endpoint.ts'
import type { ExportTable } from '@pc/platform/export/export-table.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { demandImporter, IMPORT } from './import-access.ts'
import type { ImportKind, Refused } from './import-kind.ts'
import { findImport, readStoredRows } from './import-store.ts'
import type { ImportDependencies } from './preview-import.ts'
import { REASON_HEADER } from './read-rows.ts'

export const TEMPLATE_PATH = '/exports/import'
const ROWS_AT_A_TIME = 500

/**
 * The table of `POST /exports/import`: a kind's columns with an example, with all existing records, or with a preview's
 * refused rows and their reasons. Each can be uploaded again.
 */
export async function openImportTable(
  dependencies: ImportDependencies,
  viewer: Viewer,
  { kind: name, content, importId }: ExportRequest,
): Promise<Result<ExportTable, Refused>> {
  const kind = dependencies.kinds.find(one => one.name === name)
  if (!kind) return refused(refusal('import/kind-unknown', ['kind']))
  // Checks the rights over all rows of the kind, so that the reads below may run as SYSTEM. Nothing is written here, so the
  // request needs no id and address.
  demandImporter(viewer, kind, { requestId: '', sourceAddress: '' })
  const date = today(dependencies.clock).replaceAll('-', '')
  if (content === 'refused') return refusedRows(dependencies, kind, String(importId), date)
  if (content === 'filled') {
    const options = { sendsInvitations: false }
    const session = await dependencies.database.inScope(SYSTEM, tx => kind.open(tx, options), { readOnly: true })
    const rows = session.present.map(({ cells }) => kind.columns.map(({ key }) => cells[key] ?? ''))
    return ok(tableOf(kind, `${kind.fileName}_${date}`, rows))
  }
  const example = kind.columns.map(({ example: text }) => text)
  return ok(tableOf(kind, `${kind.fileName}_template`, content === 'example' ? [example] : []))
}

async function refusedRows({ database }: ImportDependencies, kind: ImportKind, importId: string, date: string) {
  const id = /^[1-9]\d{0,17}$/.test(importId) ? BigInt(importId) : 0n
  const found = await database.inScope(
    SYSTEM,
    async tx => ({ kept: await findImport(tx, id), rows: await readStoredRows(tx, id, { state: 'refused' }) }),
    { readOnly: true },
  )
  if (found.kept?.kind !== kind.name) return refused(refusal('import/not-found', ['importId']))
  const rows = found.rows.map(({ cells, refusals }) => [
    ...kind.columns.map(({ key }) => cells[key]?.day ?? cells[key]?.text ?? ''),
    refusals.map(({ header, text }) => (header === null ? text : `${header}：${text}`)).join('\n'),
  ])
  // All cells as text: refused rows may have cells that are not valid numbers or dates.
  return ok(tableOf(kind, `${kind.fileName}_refused_${date}`, rows, true))
}

function tableOf(kind: ImportKind, fileName: string, rows: readonly string[][], isRefused = false): ExportTable {
  const columns = kind.columns.map(column => ({
    header: column.header,
    kind: isRefused ? ('text' as const) : column.kind,
    definition: `${column.isRequired ? '必須。' : ''}${column.definition}${column.example === '' ? '' : ` 例：${column.example}`}`,
  }))
  return {
    fileName,
    title: `${kind.title}の取り込み`,
    facts: [['1行の内容', kind.description]],
    columns: [...columns, ...(isRefused ? [{ header: REASON_HEADER, kind: 'text' as const, width: 60 }] : [])],
    total: rows.length,
    resource: IMPORT,
    async *rows() {
      for (let from = 0; from < rows.length; from += ROWS_AT_A_TIME)
        yield rows
          .slice(from, from + ROWS_AT_A_TIME)
          .map((row): ExportRow => row.map((text, at) => (text === '' && columns[at]?.kind !== 'text' ? null : text)))
    },
  }
}
