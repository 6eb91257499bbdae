import type { CooperativeSteps } from '@pc/domain/cooperative.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type ChainBreak, type ChainLink, verifyChainSteps } from '@pc/domain/payment/snapshot-chain.ts'
import type { SettledPayment } from '@pc/domain/settlement/settlement-result.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import { sha256 } from '../../core/server/load-month.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { readStoredMonth, type StoredMonth } from '../../core/server/stored-month.ts'

/** The content that is hashed for an agreement: the stored text of its frozen input, and its result as the rows hold it. */
export function snapshotContent(inputText: string, result: SettledPayment): unknown {
  return { input: inputText, result }
}

/** The chain link of a finalised month as it is stored, and the hash of the finalised month before it. */
export interface StoredLink {
  readonly link: ChainLink
  readonly head: string | undefined
  readonly hashBefore: string | null
}

/** Undefined while the month is not final. */
export async function readLink(tx: Transaction, { mediumId, month }: MonthKey): Promise<StoredLink | undefined> {
  const [own, before] = await tx
    .selectFrom('monthStates')
    .select(['month', 'previousHash', 'headHash', 'hash', 'head'])
    .where('mediumId', '=', mediumId)
    .where('month', '<=', month)
    .where('state', 'in', ['finalized', 'paid'])
    .orderBy('month', 'desc')
    .limit(2)
    .execute()
  if (own?.month !== month) return undefined
  const hashes = await tx
    .selectFrom('monthlySnapshotInputs as i')
    .innerJoin('monthlyAgreementSnapshots as s', 's.id', 'i.snapshotId')
    .select(['s.agreementId', 'i.hash'])
    .where('i.mediumId', '=', mediumId)
    .where('i.month', '=', month)
    .orderBy('s.agreementId')
    .execute()
  return {
    link: {
      mediumId,
      month,
      previousHash: own.previousHash,
      headHash: own.headHash ?? '',
      agreementHashes: hashes.map(each => ({ agreementId: each.agreementId, hash: each.hash ?? '' })),
      hash: own.hash ?? '',
    },
    head: own.head ?? undefined,
    hashBefore: before?.hash ?? null,
  }
}

/** Recomputes one link of the chain from the rows of its month. */
export function* linkBreakSteps(
  { link, head, hashBefore }: StoredLink,
  stored: StoredMonth,
): CooperativeSteps<readonly ChainBreak[]> {
  const inputs = new Map(stored.snapshots.map(snapshot => [snapshot.agreementId, snapshot.inputText]))
  const results = new Map(stored.settled.payments.map(payment => [payment.agreementId, payment]))
  const contentOf = (_link: ChainLink, agreementId: bigint | null) => {
    if (agreementId === null) return head
    const [text, result] = [inputs.get(agreementId), results.get(agreementId)]
    return text === undefined || result === undefined ? undefined : snapshotContent(text, result)
  }
  return yield* verifyChainSteps([link], contentOf, sha256, hashBefore)
}

/** Recomputes the chain of a medium from the rows of the database, month by month. */
export async function verifyMediumChain(tx: Transaction, mediumId: bigint): Promise<readonly ChainBreak[]> {
  const months = await tx
    .selectFrom('monthStates')
    .select('month')
    .where('mediumId', '=', mediumId)
    .where('state', 'in', ['finalized', 'paid'])
    .orderBy('month')
    .execute()
  const breaks: ChainBreak[] = []
  for (const row of months) breaks.push(...(await verifyMonthLink(tx, { mediumId, month: row.month as YearMonth })))
  return breaks
}

/** One finalised month of {@link verifyMediumChain}. */
export async function verifyMonthLink(tx: Transaction, key: MonthKey): Promise<readonly ChainBreak[]> {
  const link = await readLink(tx, key)
  const stored = await readStoredMonth(tx, key)
  if (link && stored) return runCooperatively(linkBreakSteps(link, stored))
  return [{ ...key, kind: 'snapshot-missing', agreementId: null }]
}
