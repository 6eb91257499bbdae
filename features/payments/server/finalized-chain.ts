import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { SettledPayment } from '@pc/domain/payment/settlement-result.ts'
import { type ChainBreak, type ChainLink, verifyChain } from '@pc/domain/payment/snapshot-chain.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sha256 } from './load-month.ts'
import { readStoredMonth } from './stored-month.ts'

/** What the hash of an agreement's snapshot covers: its frozen input as it is kept, and the result as the rows have it. */
export function snapshotContent(inputText: string, result: SettledPayment): unknown {
  return { input: inputText, result }
}

/**
 * Recomputes the chain of a medium from the rows of the database. With `onlyMonth` the contents of that month alone are
 * read again; the links of all months are checked all the same.
 */
export async function verifyMediumChain(
  tx: Transaction,
  mediumId: bigint,
  onlyMonth?: YearMonth,
): Promise<readonly ChainBreak[]> {
  const months = await tx
    .selectFrom('monthStates')
    .select(['month', 'previousHash', 'headHash', 'hash', 'head'])
    .where('mediumId', '=', mediumId)
    .where('state', 'in', ['finalized', 'paid'])
    .orderBy('month')
    .execute()
  const links: ChainLink[] = []
  const contents = new Map<string, unknown>()
  for (const row of months) {
    const month = row.month as YearMonth
    const hashes = await tx
      .selectFrom('monthlySnapshotInputs as i')
      .innerJoin('monthlyAgreementSnapshots as s', 's.id', 'i.snapshotId')
      .select(['s.agreementId', 'i.hash'])
      .where('i.mediumId', '=', mediumId)
      .where('i.month', '=', month)
      .orderBy('s.agreementId')
      .execute()
    const agreementHashes = hashes.map(each => ({ agreementId: each.agreementId, hash: each.hash ?? '' }))
    const { previousHash, headHash, hash } = row
    links.push({ mediumId, month, previousHash, headHash: headHash ?? '', agreementHashes, hash: hash ?? '' })
    contents.set(`${month}/`, row.head ?? undefined)
    if (onlyMonth !== undefined && month !== onlyMonth) continue
    const stored = await readStoredMonth(tx, { mediumId, month })
    const inputs = new Map(stored?.snapshots.map(snapshot => [snapshot.agreementId, snapshot.inputText]))
    for (const payment of stored?.settled.payments ?? []) {
      const text = inputs.get(payment.agreementId)
      if (text !== undefined) contents.set(`${month}/${payment.agreementId}`, snapshotContent(text, payment))
    }
  }
  const isRead = (month: YearMonth) => onlyMonth === undefined || month === onlyMonth
  const breaks = verifyChain(links, (link, agreementId) => contents.get(`${link.month}/${agreementId ?? ''}`), sha256)
  return breaks.filter(each => isRead(each.month) || each.agreementId === null)
}
