import { isTargetOf } from '../agreement/revenue-share.ts'
import type { CooperativeSteps } from '../cooperative.ts'
import { sumBy } from '../money/yen.ts'
import { RuleMap } from './rule-map.ts'
import type { MonthInput, RuleInput } from './settlement-input.ts'
import type { PoolShare, SettledMonth } from './settlement-result.ts'
import { publisherRowOf, type ViolationList } from './violation.ts'

/**
 * Pools are booked or retained to the yen, and reach only publishers whose terms take part (I8, I9).
 * Tested by `domain/payment/invariants.test.ts`.
 */
export function* checkPools(list: ViolationList, settled: SettledMonth, input: MonthInput): CooperativeSteps<void> {
  const rules = new RuleMap<RuleInput>()
  for (const { agreementId, rules: each } of input.agreements) {
    for (const rule of each) rules.set({ agreementId, publisherId: rule.publisherId }, rule)
    yield
  }
  const sharesByJob = new Map<bigint, PoolShare[]>()
  for (const payment of settled.payments) {
    for (const publisher of payment.publishers) {
      for (const share of publisher.poolShares) {
        const ofJob = sharesByJob.get(share.jobId)
        if (ofJob) ofJob.push(share)
        else sharesByJob.set(share.jobId, [share])
        const rule = rules.get({ agreementId: payment.agreementId, publisherId: publisher.publisherId })
        const isTarget = rule !== undefined && isTargetOf(rule.share, share.kind)
        if (isTarget || share.allocatedYen === 0n) continue
        list.expect('I9', publisherRowOf(payment, publisher), false, '配分対象外のパブリッシャーに配分されています。')
      }
    }
    yield
  }
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
    const allocatedYen = sumBy(jobShares, share => share.allocatedYen)
    const sharedYen = sumBy(jobShares, share => share.shareYen)
    const bookedYen = sumBy(jobShares, share => share.bookedYen)
    list.expectEqual('I8', row, '配分額の合計', allocatedYen, job.poolYen)
    list.expectEqual('I8', row, '原資', pool.poolYen, job.poolYen)
    list.expect(
      'I8',
      row,
      sharedYen >= 0n && sharedYen <= job.poolYen,
      'パブリッシャー分の合計が原資の範囲を超えています。',
    )
    list.expectEqual('I8', row, 'パブリッシャー分の合計', pool.sharedYen, sharedYen)
    list.expectEqual('I8', row, '計上額の合計', pool.bookedYen, job.method === 'payment' ? sharedYen : 0n)
    list.expectEqual('I8', row, '計上額の明細の合計', bookedYen, pool.bookedYen)
    list.expectEqual('I8', row, '当社留保分', pool.retainedYen, job.poolYen - bookedYen)
    yield
  }
}
