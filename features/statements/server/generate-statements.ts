import { createHash } from 'node:crypto'
import type { CooperativeSteps } from '@pc/domain/cooperative.ts'
import { type Day, day } from '@pc/domain/month/day.ts'
import { monthOfDay } from '@pc/domain/month/year-month.ts'
import { canonicalText, parseCanonicalText } from '@pc/domain/payment/canonical-text.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { type Statement, statementNumber, statementOf } from '@pc/domain/statement/statement.ts'
import {
  type PaymentToTransfer,
  planTransfers,
  type TransferPart,
  type TransferRules,
} from '@pc/domain/transfer/transfer.ts'
import type { BankBranch, TransferDestination, TransferFeeTable } from '@pc/domain/transfer/transfer-fee.ts'
import { isWithheldFrom } from '@pc/domain/transfer/withholding.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import {
  type PaymentToState,
  readJoiningPayments,
  readMadeParts,
  readPaymentsToState,
  type StatementScope,
} from './stated-payments.ts'
import { type StatementSettings, settingsFor } from './statement-settings.ts'

/** The template of new documents. A change of its layout needs a new version; one more amount line does not. */
export const TEMPLATE_VERSION = 4

export interface GeneratedStatement {
  readonly source: PaymentToState
  readonly statement: Statement
  readonly content: string
  readonly hash: string
}

export interface GeneratedStatements {
  readonly generated: readonly GeneratedStatement[]
  /** Payments for which no document can be made, each with the reasons. */
  readonly failed: readonly { readonly source: PaymentToState; readonly refusals: readonly Refusal<RefusalCode>[] }[]
}

/** Source account, prices and rates for transfers of a day; undefined: no source account is set for it. */
export type ReadTransferRules = (
  tx: Transaction,
  dueOn: Day,
) => Promise<Pick<TransferRules, 'source' | 'feeTable' | 'withholdingTable' | 'limitYen'> | undefined>

export interface Revision {
  readonly revision: number
  readonly reason: string
}

/**
 * Makes the documents of payments without storing them. For an open month they have no snapshot hash and serve only to
 * check whether it can be closed.
 * @returns a refusal when the payer's settings or the source account are missing
 */
export async function generateStatements(
  tx: Transaction,
  readRules: ReadTransferRules,
  scope: StatementScope,
  issuedOn: Day,
  revised: Revision | null = null,
): Promise<Result<GeneratedStatements, Refusal<RefusalCode>>> {
  const sources = await readPaymentsToState(tx, scope)
  if (sources.length === 0) return ok({ generated: [], failed: [] })
  const settings = await settingsFor(tx, monthOfDay(issuedOn))
  if (!settings) return refused(refusal('statement/payer-settings-missing'))
  const parts = await planParts(tx, readRules, sources)
  if (!parts) return refused(refusal('transfer/source-missing'))
  return ok(await runCooperatively(generateSteps(sources, parts, { settings, issuedOn, revised })))
}

interface Edition {
  readonly settings: StatementSettings
  readonly issuedOn: Day
  readonly revised: Revision | null
}

function* generateSteps(
  sources: readonly PaymentToState[],
  parts: ReadonlyMap<bigint, Part>,
  { settings, issuedOn, revised }: Edition,
): CooperativeSteps<GeneratedStatements> {
  const generated: GeneratedStatement[] = []
  const failed: { source: PaymentToState; refusals: readonly Refusal<RefusalCode>[] }[] = []
  for (const source of sources) {
    const part = parts.get(source.monthlyPaymentId)
    const made = part?.ok ? generateStatement(source, part.value, settings, issuedOn, revised) : part
    if (made?.ok) generated.push(made.value)
    else failed.push({ source, refusals: made?.refusals ?? [] })
    yield
  }
  return { generated, failed }
}

function generateStatement(
  source: PaymentToState,
  { part, isMade }: PlannedPart,
  settings: StatementSettings,
  issuedOn: Day,
  revised: Revision | null,
): Result<GeneratedStatement, Refusal<RefusalCode>> {
  const { payment, account } = source
  const { bankCode: _bank, branchCode: _branch, ...printed } = account ?? NO_ACCOUNT
  const made = statementOf(payment, part, {
    number: statementNumber(payment.revenueGeneratedAtMonth, payment.agreementId),
    revision: revised?.revision ?? 0,
    revisionReason: revised?.reason ?? null,
    issuedOn,
    payerName: settings.payerName,
    payerAddress: settings.payerAddress,
    payerRegistrationNumber: settings.payerRegistrationNumber,
    payee: source.payee,
    payeeAddress: source.payeeAddress,
    feePaidBy: source.feePaidBy,
    isTransferMade: isMade,
    agreementName: source.agreementName,
    agreementCode: source.agreementCode,
    account: printed,
    deemedConfirmationDays: settings.deemedConfirmationDays,
    snapshotHash: source.snapshotHash ?? DRAFT,
  })
  if (!made.ok) return made
  const content = canonicalText(made.value)
  return ok({ source, statement: made.value, content, hash: contentHash(TEMPLATE_VERSION, content) })
}

const DRAFT = 'draft'
const NO_ACCOUNT = { bankCode: '', bankName: '', branchCode: '', branchName: '', typeName: '', number: '', holder: '' }

/** The hash that the payee confirms: of the template version and every printed word. */
export function contentHash(templateVersion: number, content: string): string {
  return createHash('sha256').update(`${templateVersion}\n${content}`).digest('hex')
}

/** The document in a statement's stored text. */
export function statementOfContent(content: string): Statement {
  // Documents of template version 1 lack the field.
  return { isTransferPlanned: false, ...(parseCanonicalText(content) as Omit<Statement, 'isTransferPlanned'>) }
}

interface PlannedPart {
  readonly part: TransferPart
  readonly isMade: boolean
}
type Part = Result<PlannedPart, Refusal<RefusalCode>>

/**
 * Each payment's part of withholding and fee, as a transfer would split them over all payments of one account, day and
 * fee payer, also over those that earlier closes have left to send. A payment that is in a transfer already keeps its
 * part. When the payer bears the fee, no price list is needed.
 */
async function planParts(
  tx: Transaction,
  readRules: ReadTransferRules,
  sources: readonly PaymentToState[],
): Promise<ReadonlyMap<bigint, Part> | undefined> {
  const parts = new Map<bigint, Part>()
  const reduced = sources.filter(isReduced)
  const joining = Map.groupBy(await readJoiningPayments(tx, reduced, sources), groupOf)
  const made = await readMadeParts(tx, reduced)
  for (const { isMade, ...part } of made) parts.set(part.monthlyPaymentId, ok({ part, isMade }))
  const open = sources.filter(each => !parts.has(each.monthlyPaymentId))
  for (const [dueOn, ofDay] of Map.groupBy(open, each => each.payment.dueOn)) {
    const rules = await readRules(tx, dueOn)
    if (!rules) return undefined
    await runCooperatively(planSteps(ofDay, joining, rules, parts))
  }
  return parts
}

/** Plans the payments of one due day. Yields after each transfer. */
function* planSteps(
  ofDay: readonly PaymentToState[],
  joining: ReadonlyMap<string, readonly PaymentToTransfer[]>,
  { source, feeTable, withholdingTable, ...limit }: NonNullable<Awaited<ReturnType<ReadTransferRules>>>,
  parts: Map<bigint, Part>,
): CooperativeSteps<void> {
  for (const [key, group] of Map.groupBy(ofDay, groupOfPayment)) {
    const accounts = new Map(group.map(each => [each.bankAccountId, each.account]))
    const planned = planTransfers([...group.map(toTransfer), ...(joining.get(key) ?? [])], {
      source,
      branchOf: id => accounts.get(id),
      feeTable: group[0]?.feePaidBy === 'product' ? freeOfCharge(source) : feeTable,
      withholdingTable,
      ...limit,
    })
    if (!planned.ok) for (const each of group) parts.set(each.monthlyPaymentId, planned)
    else {
      for (const part of planned.value.flatMap(transfer => transfer.parts)) {
        parts.set(part.monthlyPaymentId, ok({ part, isMade: false }))
      }
    }
    yield
  }
}

const groupOf = ({
  bankAccountId,
  dueOn,
  feePaidBy,
}: Pick<PaymentToTransfer, 'bankAccountId' | 'dueOn' | 'feePaidBy'>) => `${bankAccountId}/${dueOn}/${feePaidBy}`
const groupOfPayment = ({ bankAccountId, feePaidBy, payment }: PaymentToState) =>
  groupOf({ bankAccountId, dueOn: payment.dueOn, feePaidBy })
/** Whether a fee or tax may be deducted; only then do other payments of the transfer change this payment's part. */
const isReduced = ({ feePaidBy, payee }: PaymentToState) => feePaidBy === 'publisher' || isWithheldFrom(payee)

function freeOfCharge(source: BankBranch): TransferFeeTable {
  const destinations: readonly TransferDestination[] = ['same_branch', 'same_bank', 'other_bank']
  return destinations.map(destination => ({
    sourceBankCode: source.bankCode,
    destination,
    validFrom: day('1989-04-01'),
    fromAmountYen: 0n,
    feeYen: 0n,
  }))
}

function toTransfer({
  monthlyPaymentId,
  bankAccountId,
  feePaidBy,
  payee,
  rules,
  payment,
}: PaymentToState): PaymentToTransfer {
  const { dueOn, paymentYen, paymentIncludingTaxYen } = payment
  return { monthlyPaymentId, bankAccountId, dueOn, feePaidBy, ...payee, paymentYen, paymentIncludingTaxYen, rules }
}
