import { sumBy } from '@pc/domain/money/yen.ts'
import type { CloseRefusal } from '@pc/domain/payment/close-refusal.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { TransferActionRefusal } from '@pc/domain/transfer/transfer-action-refusal.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { movePayments } from '../../core/server/move-payments.ts'
import { type BatchPlan, planBatch, type TransferRequest } from './plan-transfers.ts'
import { insertTransfers } from './transfer-rows.ts'

/** Refusals that are reported at once; the others would say the same of further transfers. */
export const MAX_REFUSALS = 20

export interface CreatedBatch {
  readonly id: bigint
  readonly transfers: number
  readonly payments: number
  readonly totalYen: bigint
  /** Payments that are late by law, knowingly. */
  readonly lateByLaw: number
}

/**
 * Makes the transfers of a request: all of them, or none when one payee cannot be paid. Of two requests at the same time
 * the second one waits for the first and finds only what is left.
 * Tested by `scenarios/transfers.test.ts`.
 * @param expectedHash the hash of the plan that the person saw; another plan is refused. Undefined: any plan is accepted
 */
export async function createTransferBatch(
  tx: Transaction,
  { clock, actorUid }: { readonly clock: Clock; readonly actorUid: string },
  request: TransferRequest,
  expectedHash: string | undefined,
): Promise<Result<CreatedBatch, Refusal<RefusalCode>>> {
  await lockPayable(tx, request)
  const planned = await planBatch(tx, clock, request)
  if (!planned.ok) return planned
  const plan = planned.value
  if (plan.problems.length > 0) return refused(...plan.problems.map(each => each.refusal).slice(0, MAX_REFUSALS))
  if (expectedHash !== undefined && expectedHash !== plan.hash) return refused(refusal('transfer/preview-outdated'))
  const late = plan.warnings.filter(each => each.refusal.code === 'transfer/late-by-law')
  if (late.length > 0 && !request.isLateAcknowledged) {
    return refused(...late.map(each => each.refusal).slice(0, MAX_REFUSALS))
  }
  const scheduled = await scheduleReturned(tx, clock, plan)
  if (!scheduled.ok) return scheduled
  const { accountNumber, accountType, bankCode, bankName, branchCode, branchName, clientCode, clientName } = plan.source
  const { id } = await tx
    .insertInto('transferBatches')
    .values({
      kind: 'bank_file',
      transferOn: plan.transferOn,
      dueOn: plan.dueOn,
      ...{ accountNumber, accountType, bankCode, bankName, branchCode, branchName, clientCode, clientName },
      hasLineBreaks: plan.source.hasLineBreaks,
      transferLimitYen: plan.source.transferLimitYen,
      extraCharacters: plan.source.extraCharacters,
      createdAt: new Date(clock.now()),
      createdByUid: actorUid,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertTransfers(tx, clock, id, plan.transfers)
  return ok({
    id,
    transfers: plan.transfers.length,
    payments: plan.transfers.reduce((sum, each) => sum + each.parts.length, 0),
    totalYen: sumBy(plan.transfers, each => each.transferAmountYen),
    lateByLaw: late.length,
  })
}

/** Locks the payments of the due day, so that requests wait for each other; later queries see what the earlier one did. */
async function lockPayable(tx: Transaction, { dueOn }: TransferRequest): Promise<void> {
  await tx
    .selectFrom('monthlyPayments')
    .select('id')
    .where('dueOn', '=', dueOn)
    .where('hasBeenFinalized', '=', true)
    .where('paymentStatus', 'in', ['scheduled', 'returned'])
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Payments that came back become scheduled ones. */
async function scheduleReturned(
  tx: Transaction,
  clock: Clock,
  plan: BatchPlan,
): Promise<Result<true, CloseRefusal | TransferActionRefusal>> {
  const ids = plan.transfers.flatMap(transfer => transfer.parts.map(part => part.monthlyPaymentId))
  const returned = ids.filter(id => plan.payments.get(id)?.isReturned)
  if (returned.length === 0) return ok(true)
  const moved = await movePayments(tx, returned, 'plan_again', {}, clock)
  return moved.ok ? ok(true) : moved
}
