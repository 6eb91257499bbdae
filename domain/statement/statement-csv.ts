import { formatYearMonth } from '../month/year-month.ts'
import { csvText } from '../text/spreadsheet-text.ts'
import type { Statement } from './statement.ts'

const HEADER = [
  '番号',
  '改訂',
  '発行日',
  '支払期日',
  '支払元',
  '支払元登録番号',
  '支払先',
  '支払先登録番号',
  '契約コード',
  '契約名',
  '収益の発生月',
  '区分',
  '項目',
  '税率（%）',
  '税抜金額（円）',
  '消費税額（円）',
  '税込金額（円）',
  'ハッシュ値',
] as const

type Cell = string | bigint | number | null

/**
 * A statement as a table for accounting software: its lines, the months it pays, the totals for each rate, and the
 * steps to the transfer; each row repeats the head of the document. UTF-8 with a byte order mark, CRLF. Texts that a
 * spreadsheet would run as a formula get a leading apostrophe. The same document always gives the same text.
 */
export function statementCsv(statement: Statement, hash: string): string {
  const rows = bodyOf(statement).map(({ kind, name, rate, amount, tax, total }) => [
    ...headOf(statement),
    ...[kind, name, rate, amount, tax, total],
    hash,
  ])
  return `\uFEFF${[[...HEADER], ...rows].map(row => `${row.map(cellText).join(',')}\r\n`).join('')}`
}

function headOf(statement: Statement): Cell[] {
  return [
    statement.number,
    statement.revision,
    statement.issuedOn,
    statement.dueOn,
    statement.payerName,
    statement.payerRegistrationNumber,
    statement.payeeName,
    statement.payeeRegistration,
    statement.agreementCode,
    statement.agreementName,
    formatYearMonth(statement.revenueGeneratedAtMonth),
  ]
}

interface Row {
  readonly kind: string
  readonly name: string
  readonly rate: Cell
  readonly amount: Cell
  readonly tax: Cell
  readonly total: Cell
}

function bodyOf(statement: Statement): Row[] {
  const row = (kind: string, name: string, parts: Partial<Row>): Row => ({
    ...{ kind, name, rate: null, amount: null, tax: null, total: null },
    ...parts,
  })
  const { account } = statement
  const planned = statement.isTransferPlanned ? '（予定）' : ''
  return [
    ...statement.lines.map(({ label, amountYen }) => row('明細', label, { amount: amountYen })),
    ...statement.generatedMonths.map(({ month, amountYen, ratePercent = null, taxYen = null }) =>
      row(amountYen < 0n ? '返還' : '支払の対象', formatYearMonth(month), {
        rate: ratePercent,
        amount: amountYen,
        tax: taxYen,
        total: taxYen === null ? null : amountYen + taxYen,
      }),
    ),
    ...statement.taxLines.map(({ ratePercent, amountYen, taxYen }) =>
      row('税率別', `${ratePercent}%対象${amountYen < 0n ? '（返還）' : ''}`, {
        rate: ratePercent,
        amount: amountYen,
        tax: taxYen,
        total: amountYen + taxYen,
      }),
    ),
    row('合計', '合計', {
      amount: statement.totalWithoutTaxYen,
      tax: statement.totalTaxYen,
      total: statement.totalYen,
    }),
    row('振込', `源泉徴収税額${planned}`, { total: -statement.withholdingYen }),
    row('振込', `振込手数料${planned}`, { total: -statement.feeYen }),
    row('振込', `差引振込金額${planned}`, { total: statement.transferAmountYen }),
    row(
      '振込先',
      `${account.bankName} ${account.branchName} ${account.typeName} ${account.number} ${account.holder}`,
      {},
    ),
    row('確認', `${statement.confirmationDeemedOn}までにご連絡がない場合は確認済み`, {}),
  ]
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  return csvText(cell)
}
