import { formatYearMonth } from '../month/year-month.ts'
import type { BookAccount, ChartOfAccounts } from './chart-of-accounts.ts'
import type { JournalEntry, JournalLine, TaxCategory } from './journal-entry.ts'

/** A journal file as a table of text. The CSV writer adds quoting, encoding and formula guards. */
export interface JournalTable {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export type JournalFormat = 'generic' | 'freee' | 'money_forward'

/** The entries as the table of one format. `chart` names the accounts as the accounting software knows them. */
export function journalTable(
  format: JournalFormat,
  entries: readonly JournalEntry[],
  chart: ChartOfAccounts,
): JournalTable {
  if (format === 'generic') return genericTable(entries, chart)
  return format === 'freee' ? freeeTable(entries, chart) : moneyForwardTable(entries, chart)
}

/** The name of a tax category: `課対仕入10%`, `課対仕入(控80)10%`, `対象外`. */
export function taxCategoryText(category: TaxCategory): string {
  if (category.kind === 'outside') return '対象外'
  const reduced = category.deductiblePercent === 100 ? '' : `(控${category.deductiblePercent})`
  return `課対仕入${reduced}${category.ratePercent}%`
}

/**
 * freee's tax codes, as far as known: 234 is 課対仕入(控70)10%. freee matches the others by name on import, so their column
 * stays empty.
 */
const FREEE_TAX_CODES: Readonly<Record<string, string>> = { '課対仕入(控70)10%': '234' }

/**
 * One line for each amount, with taxes on lines of their own, so that the debit and credit columns have equal sums.
 */
function genericTable(entries: readonly JournalEntry[], chart: ChartOfAccounts): JournalTable {
  const header = [
    ...['伝票番号', '日付', '区分', '貸借', '勘定科目', '金額', '税区分', '発生月', '取引先', '摘要', '参照'],
    ...['補助科目', '部門'],
  ]
  const rows = entries.flatMap((entry, index) =>
    entry.lines.flatMap(line => {
      const row = ({ name, subAccount, department }: BookAccount, amountYen: bigint) => [
        String(index + 1),
        entry.on,
        STAGE_LABELS[entry.stage],
        line.side === 'debit' ? '借方' : '貸方',
        name,
        amountYen.toString(),
        taxCategoryText(line.taxCategory),
        line.generatedMonth === null ? '' : formatYearMonth(line.generatedMonth),
        entry.partnerName,
        entry.description,
        entry.reference,
        subAccount,
        department,
      ]
      return [
        row(chart[line.account], line.amountYen),
        ...(line.deductibleTaxYen > 0n ? [row(chart.input_tax, line.deductibleTaxYen)] : []),
        ...(line.nonDeductibleTaxYen > 0n ? [row(chart.non_deductible_tax, line.nonDeductibleTaxYen)] : []),
      ]
    }),
  )
  return { header, rows }
}

/** One row for each line: number and day, the cells of the debit side, those of the credit side, and the reference. */
function rowsOf(
  entries: readonly JournalEntry[],
  cells: (line: JournalLine, partnerName: string) => string[],
): string[][] {
  return entries.flatMap((entry, index) =>
    entry.lines.map(line => {
      const filled = cells(line, entry.partnerName)
      const empty = filled.map(() => '')
      const [debit, credit] = line.side === 'debit' ? [filled, empty] : [empty, filled]
      const date = entry.on.replaceAll('-', '/')
      return [String(index + 1), date, ...debit, ...credit, entry.description, entry.reference]
    }),
  )
}

/**
 * freee's voucher import lets the user assign columns, so these are named in freee's own words. It has no sub-accounts:
 * items (品目) take their place. Amounts include tax; the tax column holds the deductible part, as freee books it.
 */
function freeeTable(entries: readonly JournalEntry[], chart: ChartOfAccounts): JournalTable {
  const side = (name: string) =>
    ['勘定科目', '税区分', '税区分コード', '金額', '税額', '取引先', '品目', '部門'].map(each => name + each)
  const header = ['伝票番号', '日付', ...side('借方'), ...side('貸方'), '摘要', '管理番号']
  const cells = (line: JournalLine, partnerName: string) => {
    const category = taxCategoryText(line.taxCategory)
    const code = FREEE_TAX_CODES[category] ?? ''
    const { name, subAccount, department } = chart[line.account]
    const amounts = [amountIncludingTax(line), line.deductibleTaxYen.toString()]
    return [name, category, code, ...amounts, partnerName, subAccount, department]
  }
  return { header, rows: rowsOf(entries, cells) }
}

/**
 * Money Forward's journal import: 27 columns, A to AA, whose names are not yet compared with its sample file. Lines
 * with one number and date are one entry. The invoice columns accept `適格` and `80%控除`; the names for later periods
 * follow the same pattern and are to be checked on import.
 */
function moneyForwardTable(entries: readonly JournalEntry[], chart: ChartOfAccounts): JournalTable {
  const header = [
    '取引No',
    '取引日',
    ...['勘定科目', '補助科目', '部門', '取引先', '税区分', 'インボイス', '金額(円)', '税額'].map(
      each => `借方${each}`,
    ),
    ...['勘定科目', '補助科目', '部門', '取引先', '税区分', 'インボイス', '金額(円)', '税額'].map(
      each => `貸方${each}`,
    ),
    '摘要',
    '仕訳メモ',
    'タグ',
    'MF仕訳タイプ',
    '決算整理仕訳',
    '作成日時',
    '作成者',
    '最終更新日時',
    '最終更新者',
  ]
  const cells = (line: JournalLine, partnerName: string) => [
    chart[line.account].name,
    chart[line.account].subAccount,
    chart[line.account].department,
    partnerName,
    line.taxCategory.kind === 'outside' ? '対象外' : `課税仕入 ${line.taxCategory.ratePercent}%`,
    invoiceText(line.taxCategory),
    amountIncludingTax(line),
    line.deductibleTaxYen.toString(),
  ]
  const rest = Array.from({ length: 7 }, () => '')
  return { header, rows: rowsOf(entries, cells).map(row => [...row, ...rest]) }
}

function invoiceText(category: TaxCategory): string {
  if (category.kind === 'outside') return ''
  return category.deductiblePercent === 100 ? '適格' : `${category.deductiblePercent}%控除`
}

function amountIncludingTax(line: JournalLine): string {
  return (line.amountYen + line.deductibleTaxYen + line.nonDeductibleTaxYen).toString()
}

const STAGE_LABELS: Readonly<Record<JournalEntry['stage'], string>> = {
  accrual: '発生',
  payable: '確定',
  settlement: '支払',
}
