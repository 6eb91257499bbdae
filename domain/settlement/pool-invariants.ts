import { isTargetOf } from '../agreement/revenue-share.ts'
import { sumBy } from '../money/yen.ts'
import { type RuleKey, ruleKeyText } from './pool-allocation.ts'
import type { MonthInput } from './settlement-input.ts'
import type { SettledMonth } from './settlement-result.ts'
import { publisherRowOf, type ViolationList } from './violation.ts'

/**
 * Pools are booked or retained to the yen, and reach only publishers whose terms take part (I8, I9).
 * Tested by `domain/payment/invariants.test.ts`.
 */
export function checkPools(list: ViolationList, settled: SettledMonth, input: MonthInput): void {
  const rules = new Map(
    input.agreements.flatMap(({ agreementId, rules: each }) =>
      each.map(rule => [ruleKeyText({ agreementId, publisherId: rule.publisherId }), rule] as const),
    ),
  )
  const shares = settled.payments.flatMap(payment =>
    payment.publishers.flatMap(publisher => publisher.poolShares.map(share => ({ payment, publisher, share }))),
  )
  const sharesByJob = Map.groupBy(shares, ({ share }) => share.jobId)
  list.expect(
    'I8',
    `媒体 ${input.mediumId}`,
    settled.pools.length === input.poolJobs.length,
    '配分の結果が処理の数と一致しません。',
  )
  for (const job of input.poolJobs) {
    const row = `配分処理 ${job.jobId}`
    const pool = settled.pools.find(each => each.jobId === job.jobId)
    list.expect('I8', row, pool !== undefined, '配分の結果がありません。')
    if (!pool) continue
    const jobShares = sharesByJob.get(job.jobId) ?? []
    const allocatedYen = sumBy(jobShares, ({ share }) => share.allocatedYen)
    const sharedYen = sumBy(jobShares, ({ share }) => share.shareYen)
    const bookedYen = sumBy(jobShares, ({ share }) => share.bookedYen)
    list.expectEqual('I8', row, '配分額の合計', allocatedYen, job.poolYen)
    list.expectEqual('I8', row, '原資', pool.poolYen, job.poolYen)
    list.expect('I8', row, sharedYen >= 0n && sharedYen <= job.poolYen, '媒体分の合計が原資の範囲を超えています。')
    list.expectEqual('I8', row, '媒体分の合計', pool.sharedYen, sharedYen)
    list.expectEqual('I8', row, '計上額の合計', pool.bookedYen, job.method === 'payment' ? sharedYen : 0n)
    list.expectEqual('I8', row, '計上額の明細の合計', bookedYen, pool.bookedYen)
    list.expectEqual('I8', row, '当社留保分', pool.retainedYen, job.poolYen - bookedYen)
  }
  for (const { payment, publisher, share } of shares) {
    const key: RuleKey = { agreementId: payment.agreementId, publisherId: publisher.publisherId }
    const rule = rules.get(ruleKeyText(key))
    const isTarget = rule !== undefined && isTargetOf(rule.share, share.kind)
    const row = publisherRowOf(payment, publisher)
    list.expect('I9', row, isTarget || share.allocatedYen === 0n, '配分対象外の媒体に配分されています。')
  }
}
