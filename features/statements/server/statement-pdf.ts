import fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { dayText, monthText } from '@pc/domain/month/day-text.ja.ts'
import { addMonths, monthOf, type YearMonth, yearOf } from '@pc/domain/month/year-month.ts'
import { type Statement, statementNumberText } from '@pc/domain/statement/statement.ts'
import { statementOfContent } from './generate-statements.ts'

/** The template file of each version. A version never changes once documents were issued with it. */
const TEMPLATES: ReadonlyMap<number, string> = new Map([
  [1, 'statement-v1.typ'],
  [2, 'statement-v2.typ'],
  [3, 'statement-v3.typ'],
  [4, 'statement-v4.typ'],
])

/** The issued content of a statement and the version of the template with which it was issued. */
export interface IssuedContent {
  readonly templateVersion: number
  readonly content: string
  readonly hash: string
}

/**
 * The document as PDF. The same argument gives the same bytes on every day and machine, because fonts and the time in
 * the file are fixed. The compiler, a native library of 50 MB, is loaded with the first document.
 */
export async function statementPdf(issued: IssuedContent, isPractice = false): Promise<Uint8Array> {
  const fileName = TEMPLATES.get(issued.templateVersion)
  if (fileName === undefined) throw new Error(`there is no template ${issued.templateVersion} of statements`)
  const [compiler, template] = await Promise.all([openCompiler(), readTemplate(fileName)])
  const data = JSON.stringify(printed(statementOfContent(issued.content), issued.hash))
  const mainFileContent = isPractice ? `${PRACTICE_MARK}\n${template}` : template
  const pdf = compiler.pdf({ mainFileContent, inputs: { data } })
  compiler.evictCache(10)
  return pdf
}

/** Typst markup put before the template in a practice system: it prints this mark over every page. */
const PRACTICE_MARK = `#set page(foreground: place(center + horizon, rotate(-30deg, text(
  font: "Noto Sans JP", size: 88pt, weight: "bold", fill: rgb(180, 83, 9, 56))[練習用・無効])))`

let compiler: Promise<NodeCompiler> | undefined
const templates = new Map<string, Promise<string>>()

function openCompiler(): Promise<NodeCompiler> {
  compiler ??= createCompiler().catch(error => {
    compiler = undefined
    throw error
  })
  return compiler
}

async function createCompiler(): Promise<NodeCompiler> {
  const typst = await import('@myriaddreamin/typst-ts-node-compiler')
  const fonts = path.dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/noto-sans-jp/package.json'))
  const fontBlobs = await Promise.all(
    ['400Regular', '700Bold'].map(weight => fs.readFile(path.join(fonts, weight, `NotoSansJP_${weight}.ttf`))),
  )
  return typst.NodeCompiler.create({ workspace: import.meta.dirname, fontArgs: [{ fontBlobs }] })
}

function readTemplate(fileName: string): Promise<string> {
  const known = templates.get(fileName)
  if (known) return known
  const text = fs.readFile(path.join(import.meta.dirname, fileName), 'utf8')
  templates.set(fileName, text)
  return text
}

/** Every printed text, already formatted; the template only places them. */
function printed(statement: Statement, hash: string) {
  const [year, month, date] = statement.issuedOn.split('-').map(Number)
  return {
    heading: statement.heading,
    numberText: statementNumberText(statement),
    revision: statement.revision,
    revisionReason: statement.revisionReason,
    issuedOn: dayText(statement.issuedOn),
    issuedYear: year,
    issuedMonth: month,
    issuedDate: date,
    payerName: statement.payerName,
    payerAddress: statement.payerAddress,
    payerRegistrationNumber: statement.payerRegistrationNumber,
    payeeName: statement.payeeName,
    payeeHonorific: statement.payeeHonorific,
    payeeAddress: statement.payeeAddress ?? '',
    payeeRegistration: statement.payeeRegistration,
    agreementName: statement.agreementName,
    agreementCode: statement.agreementCode,
    month: `${monthText(statement.revenueGeneratedAtMonth)}分`,
    periods: periodsText(statement.generatedMonths.map(each => each.month)),
    months: statement.generatedMonths.map(({ month, amountYen, ratePercent, taxYen }) => ({
      month: `${monthText(month)}分`,
      isReturn: amountYen < 0n,
      rate: ratePercent === undefined ? '' : `${ratePercent}%`,
      amount: yen(amountYen),
      tax: taxYen === undefined ? '' : yen(taxYen),
    })),
    hasReturns: statement.generatedMonths.some(each => each.amountYen < 0n),
    lines: statement.lines.map(({ label, amountYen }) => ({ label, amount: yen(amountYen) })),
    taxLines: statement.taxLines.map(({ ratePercent, amountYen, taxYen }) => ({
      rate: `${ratePercent}%`,
      isReturn: amountYen < 0n,
      amount: yen(amountYen),
      tax: yen(taxYen),
      total: yen(amountYen + taxYen),
    })),
    totalWithoutTax: yen(statement.totalWithoutTaxYen),
    totalTax: yen(statement.totalTaxYen),
    total: yen(statement.totalYen),
    withholding: yen(-statement.withholdingYen),
    fee: yen(-statement.feeYen),
    transferAmount: yen(statement.transferAmountYen),
    isTransferPlanned: statement.isTransferPlanned,
    dueOn: dayText(statement.dueOn),
    account: statement.account,
    confirmationClause: statement.confirmationClause,
    deemedOn: dayText(statement.confirmationDeemedOn),
    snapshotHash: statement.snapshotHash,
    hash,
  }
}

/** Negative amounts as Japanese books write them. */
function yen(amountYen: bigint): string {
  const digits = (amountYen < 0n ? -amountYen : amountYen).toString().replace(/\B(?=(\d{3})+$)/g, ',')
  return amountYen < 0n ? `△${digits}` : digits
}

/** `2026年3月〜5月分` for consecutive months, otherwise the first and the last month with the number of months. */
function periodsText(months: readonly YearMonth[]): string {
  const first = months[0]
  const last = months.at(-1)
  if (first === undefined || last === undefined) return ''
  if (first === last) return `${monthText(first)}分`
  const isRow = addMonths(first, months.length - 1) === last
  const end = yearOf(first) === yearOf(last) ? `${monthOf(last)}月分` : `${monthText(last)}分`
  const text = `${monthText(first)}〜${end}`
  return isRow ? text : `${text}（${months.length}か月）`
}
