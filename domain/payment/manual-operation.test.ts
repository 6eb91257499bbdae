import { describe, expect, test } from 'vitest'
import type { YearMonth } from '../month/year-month.ts'
import { sampleAdjustment, sampleAgreement, sampleMonth, sampleRule, settled } from '../settlement/sample-month.ts'
import { type AdjustmentCsvContext, type AdjustmentCsvRow, MAX_CSV_ROWS, readAdjustmentCsv } from './adjustment-csv.ts'
import { readPoolWeights } from './adjustment-weights.ts'
import { canonicalText } from './canonical-text.ts'
import { type FinalizeFacts, finalizeRefusals } from './finalize-guard.ts'
import {
  checkNewJob,
  csvEntries,
  isEffective,
  isPoolKind,
  JOB_KINDS,
  jobsToReset,
  ledgerBalance,
  type ManualOperationJob,
  poolEntries,
  resetEntries,
  sumExtraRevenue,
} from './manual-operation.ts'
import {
  finalizingEvent,
  JOB_TRANSITIONS,
  PAYMENT_STATUS_LABELS,
  PAYMENT_TRANSITIONS,
  STATEMENT_TRANSITIONS,
  TRANSFER_TRANSITIONS,
} from './payment-states.ts'
import { nextState, type TransitionTable } from './transition-table.ts'

const job = (jobId: bigint, parts: Partial<ManualOperationJob> = {}): ManualOperationJob => ({
  jobId,
  kind: 'ssp',
  method: 'payment',
  status: 'success',
  reversedByJobId: null,
  extraRevenueYen: 100n,
  ...parts,
})

describe('dividend jobs', () => {
  const rule = sampleRule(401n, 40_000n, { share: { sspRateUnits: 3_000, isTargetForSspAllocation: true } })
  const pool = {
    jobId: 1n,
    kind: 'ssp' as const,
    method: 'payment' as const,
    poolYen: 30_000n,
    weights: [{ agreementId: 8n, publisherId: 401n, weight: 1n }],
  }

  test('E7: reset gives the state without the job, both entries remain, and a second run counts once', () => {
    const input = sampleMonth(202607, { agreements: [sampleAgreement(8n, [rule])] })
    const withJob = settled({ ...input, poolJobs: [pool] })
    expect(withJob.payments[0]!.sspRevenueYen).toBe(9_000n)
    const run = poolEntries(pool, [{ agreementId: 8n, rule }])
    if (!run.ok) throw new Error('refused')
    expect(run.value.map(entry => entry.amountYen)).toEqual([9_000n])
    const ledger = [...run.value, ...resetEntries(2n, run.value)]
    expect(ledger.map(entry => [entry.jobId, entry.amountYen, entry.reversesJobId])).toEqual([
      [1n, 9_000n, null],
      [2n, -9_000n, 1n],
    ])
    expect(ledgerBalance(ledger).size).toBe(0)
    const jobs = [job(1n, { reversedByJobId: 2n }), job(2n, { kind: 'reset' })]
    const poolJobs = [pool].filter(each => jobs.some(one => one.jobId === each.jobId && isEffective(one)))
    expect(canonicalText(settled({ ...input, poolJobs }))).toBe(canonicalText(settled(input)))
    const again = poolEntries({ ...pool, jobId: 3n }, [{ agreementId: 8n, rule }])
    expect(again.ok && [...ledgerBalance([...ledger, ...again.value])]).toEqual([['8/401/ssp/payment', 9_000n]])
  })

  test('NO_ELIGIBLE_WEIGHT books nothing', () => {
    expect(poolEntries({ ...pool, kind: 'ssp_live' }, [{ agreementId: 8n, rule }])).toEqual({
      ok: false,
      refusals: [{ code: 'dividend/no-eligible-weight', path: [], data: { kind: 'ssp_live' } }],
    })
  })

  test('one job at a time, none in a finalised month', () => {
    expect(checkNewJob(false, ['success', 'failed'])).toEqual([])
    expect(checkNewJob(false, ['pending']).map(each => each.code)).toEqual(['dividend/job-running'])
    expect(checkNewJob(false, ['running']).map(each => each.code)).toEqual(['dividend/job-running'])
    expect(checkNewJob(true, []).map(each => each.code)).toEqual(['dividend/month-finalized'])
  })

  test('extra revenue counts successful jobs that no reset reversed', () => {
    const jobs = [
      job(1n),
      job(2n, { method: 'discard', extraRevenueYen: 7n }),
      job(3n, { status: 'failed' }),
      job(4n, { status: 'running' }),
      job(5n, { reversedByJobId: 6n }),
      job(6n, { kind: 'reset', extraRevenueYen: 0n }),
      job(7n, { kind: 'csv', extraRevenueYen: -30n }),
    ]
    expect(sumExtraRevenue(jobs)).toEqual({ totalYen: 77n, paymentYen: 70n, discardYen: 7n })
    expect(jobsToReset(jobs).map(each => each.jobId)).toEqual([1n, 2n, 7n])
    expect(csvEntries([sampleAdjustment(1n, 2n, -5n)])).toMatchObject([
      { kind: 'csv', amountYen: -5n, reversesJobId: null },
    ])
  })
})

test('pools are three of the five kinds', () => {
  expect(JOB_KINDS.filter(isPoolKind)).toEqual(['ssp', 'ssp_video', 'ssp_live'])
})

describe('csv rows', () => {
  const context = {
    jobId: 9n,
    method: 'payment' as const,
    month: 202607 as YearMonth,
    rules: [{ agreementId: 1n, publisherId: 2n }],
    originMonths: new Map([[1n, new Set([202605, 202606] as YearMonth[])]]),
  }
  const row = (parts: Partial<AdjustmentCsvRow> = {}): AdjustmentCsvRow => ({
    agreementId: '1',
    publisherId: '2',
    amountYen: '1,234',
    reason: '',
    originMonth: '',
    ...parts,
  })

  test('good rows', () => {
    const result = readAdjustmentCsv(
      [row(), row({ amountYen: '-35000', reason: 'invalid_traffic', originMonth: '2026-06' })],
      context,
    )
    expect(result).toMatchObject({
      ok: true,
      value: {
        totalYen: -33_766n,
        rows: [
          { line: 1, amountYen: 1_234n, reason: 'other', originMonth: null },
          { line: 2, amountYen: -35_000n, reason: 'invalid_traffic', originMonth: 202606 },
        ],
      },
    })
  })
  test.each([
    ['無効トラフィック', 'invalid_traffic'],
    [' 訂正 ', 'correction'],
    ['その他', 'other'],
    ['invalid_traffic', 'invalid_traffic'],
    ['correction', 'correction'],
    ['other', 'other'],
  ])('the reason %j may be given in Japanese, or by the code that other systems have for it', (reason, code) => {
    expect(readAdjustmentCsv([row({ reason })], context)).toMatchObject({
      ok: true,
      value: { rows: [{ reason: code }] },
    })
  })
  test.each<[string, Partial<AdjustmentCsvRow>, string]>([
    ['dividend/csv-rule-unknown', { publisherId: '3' }, 'publisherId'],
    ['dividend/csv-rule-unknown', { agreementId: 'x' }, 'publisherId'],
    ['dividend/csv-amount-not-whole', { amountYen: '1.5' }, 'amountYen'],
    ['dividend/csv-amount-not-whole', { amountYen: '12,34' }, 'amountYen'],
    ['dividend/csv-amount-not-whole', { amountYen: '=1+1' }, 'amountYen'],
    ['dividend/csv-amount-not-whole', { amountYen: '1e5' }, 'amountYen'],
    ['dividend/csv-amount-not-whole', { amountYen: '１２３円' }, 'amountYen'],
    ['dividend/csv-amount-not-whole', { amountYen: '' }, 'amountYen'],
    ['dividend/csv-amount-zero', { amountYen: '0' }, 'amountYen'],
    ['dividend/csv-amount-too-large', { amountYen: '1000000000001' }, 'amountYen'],
    ['dividend/csv-amount-too-large', { amountYen: '-1000000000001' }, 'amountYen'],
    ['dividend/csv-reason-unknown', { reason: 'because' }, 'reason'],
    ['dividend/csv-origin-month-wrong', { originMonth: '2026-08' }, 'originMonth'],
    ['dividend/csv-origin-month-wrong', { originMonth: 'June' }, 'originMonth'],
    ['payment/origin-month-unknown', { originMonth: '2026-04' }, 'originMonth'],
  ])('%s', (code, parts, field) => {
    const result = readAdjustmentCsv([row(), row(parts)], context)
    expect(result).toMatchObject({ ok: false, refusals: [{ code, path: ['rawData', 1, field] }] })
  })
  test('an origin month is the booked one, or one that the agreement earned in; another is refused with a proposal', () => {
    const read = (originMonth: string, originMonths: AdjustmentCsvContext['originMonths'] = context.originMonths) =>
      readAdjustmentCsv([row({ originMonth })], { ...context, originMonths })
    for (const [text, month] of [
      ['2026-07', 202607],
      ['2026-05', 202605],
      ['２０２６－０６', 202606],
    ] as const) {
      expect(read(text)).toMatchObject({ ok: true, value: { rows: [{ originMonth: month }] } })
    }
    for (const [text, proposal] of [
      ['2006-06', '2026-06'],
      ['2025-05', '2026-05'],
      ['2026-01', '2026-05'],
      ['1066-10', '2026-05'],
    ]) {
      expect(read(text!)).toMatchObject({
        refusals: [{ code: 'payment/origin-month-unknown', data: { text, proposal } }],
      })
    }
    // Nothing earned so far: the booked month is the only proposal.
    expect(read('2006-09', new Map())).toMatchObject({ refusals: [{ data: { proposal: '2026-07' } }] })
    expect(read('2006-09', 'any')).toMatchObject({ ok: true, value: { rows: [{ originMonth: 200609 }] } })
  })
  test.each(['1,000,000,000,000', '-1,000,000,000,000'])('%s yen are the most that a row may have', amountYen => {
    expect(readAdjustmentCsv([row({ amountYen })], context)).toMatchObject({ ok: true })
  })
  test('a discard is not negative; empty and huge lists are refused', () => {
    const codeOf = (rows: readonly AdjustmentCsvRow[], method: 'payment' | 'discard') => {
      const result = readAdjustmentCsv(rows, { ...context, method })
      return result.ok ? 'ok' : result.refusals[0]!.code
    }
    expect(codeOf([row({ amountYen: '-1' })], 'discard')).toBe('dividend/csv-discard-negative')
    expect(codeOf([row({ amountYen: '1' })], 'discard')).toBe('ok')
    expect(readAdjustmentCsv([], context)).toMatchObject({
      refusals: [{ code: 'dividend/csv-empty', path: ['rawData'] }],
    })
    const rows = Array.from({ length: MAX_CSV_ROWS }, () => row())
    expect(codeOf(rows, 'payment')).toBe('ok')
    expect(readAdjustmentCsv([...rows, row()], context)).toMatchObject({
      refusals: [
        { code: 'dividend/csv-too-long', path: ['rawData'], data: { rows: MAX_CSV_ROWS + 1, limit: MAX_CSV_ROWS } },
      ],
    })
  })
})

describe('weights of a pool', () => {
  const rules = [1n, 2n].map(publisherId => ({ agreementId: 1n, publisherId }))
  const statistics = [{ agreementId: 1n, publisherId: 1n, weight: 5n }]
  const row = (publisherId: string, weight: string) => ({ agreementId: '1', publisherId, weight })
  test('raw data takes the place of the statistics as a whole', () => {
    expect(readPoolWeights([], statistics, rules)).toEqual({ ok: true, value: statistics })
    expect(readPoolWeights([row('2', '7')], statistics, rules)).toEqual({
      ok: true,
      value: [{ agreementId: 1n, publisherId: 2n, weight: 7n }],
    })
  })
  test.each<[string, ReturnType<typeof row>[]]>([
    ['dividend/weight-rule-unknown', [row('3', '7')]],
    ['dividend/weight-not-whole', [row('1', '-7')]],
    ['dividend/weight-not-whole', [row('1', '0.5')]],
    ['dividend/weight-not-whole', [row('1', '33,34')]],
    ['dividend/weight-not-whole', [row('1', '1000000000000000000')]],
    ['dividend/weight-twice', [row('1', '7'), row('1', '7')]],
    ['dividend/weights-all-zero', [row('1', '0'), row('2', '0')]],
  ])('%s', (code, rows) => {
    expect(readPoolWeights(rows, statistics, rules)).toMatchObject({ ok: false, refusals: [{ code }] })
  })
  test('each refusal says where, and only all weights of 0 are none', () => {
    expect(readPoolWeights([row('1', '0'), row('2', '3')], statistics, rules)).toMatchObject({ ok: true })
    expect(readPoolWeights([row('1', '7'), row('3', 'x')], statistics, rules)).toMatchObject({
      refusals: [
        { path: ['rawData', 1, 'publisherId'], data: { line: 2 } },
        { path: ['rawData', 1, 'weight'], data: { line: 2 } },
      ],
    })
    expect(readPoolWeights([row('1', '0')], statistics, rules)).toMatchObject({ refusals: [{ path: ['rawData'] }] })
  })
  test('as many rows as a file may have, and not one more', () => {
    const many = Array.from({ length: MAX_CSV_ROWS }, (_, at) => ({ agreementId: 1n, publisherId: BigInt(at) }))
    const given = many.map(({ publisherId }) => row(String(publisherId), '1'))
    expect(readPoolWeights(given, statistics, many)).toMatchObject({ ok: true })
    expect(readPoolWeights([...given, row('1', '1')], statistics, many)).toMatchObject({
      refusals: [{ code: 'dividend/weights-too-long', path: ['rawData'], data: { limit: MAX_CSV_ROWS } }],
    })
  })
})

describe('states', () => {
  /** Every allowed transition of a table as text. The expected ones are written by hand. */
  const steps = <S extends string, E extends string>(table: TransitionTable<S, E>) =>
    (Object.keys(table) as S[]).flatMap(state =>
      Object.entries(table[state]).map(([event, next]) => `${state} -${event}-> ${next}`),
    )

  test('job, statement, transfer', () => {
    expect(steps(JOB_TRANSITIONS)).toEqual([
      'pending -start-> running',
      'running -succeed-> success',
      'running -fail-> failed',
      'running -take_up_again-> running',
    ])
    expect(steps(STATEMENT_TRANSITIONS).filter(step => !step.includes('replace'))).toEqual([
      'issued -confirm-> confirmed',
      'issued -deem-> confirmed',
      'issued -object-> objected',
      'issued -send-> issued',
      'objected -withdraw-> issued',
      'objected -resolve-> resolved',
    ])
    expect(steps(TRANSFER_TRANSITIONS)).toEqual([
      'planned -export-> exported',
      'planned -cancel-> cancelled',
      'exported -pay-> paid',
      'exported -return-> returned',
      'paid -return-> returned',
      'returned -pay_recalled-> paid',
    ])
  })
  test('payment status: carried and held rows end there; what is not allowed is refused', () => {
    expect(PAYMENT_TRANSITIONS.carried_over).toEqual({})
    expect(nextState(PAYMENT_TRANSITIONS, 'scheduled', 'export')).toEqual({ ok: true, value: 'exported' })
    // Paid without a bank file: marked by an administrator.
    expect(nextState(PAYMENT_TRANSITIONS, 'scheduled', 'pay')).toEqual({ ok: true, value: 'paid' })
    expect(nextState(PAYMENT_TRANSITIONS, 'computed', 'pay')).toEqual({
      ok: false,
      refusals: [{ code: 'state/transition-not-allowed', path: [], data: { state: 'computed', event: 'pay' } }],
    })
    const payable = Object.entries(PAYMENT_TRANSITIONS).filter(([, events]) => 'pay' in events)
    expect(payable.map(([status]) => status)).toEqual(['scheduled', 'exported'])
    expect((['scheduled', 'held', 'carried_over'] as const).map(finalizingEvent)).toEqual([
      'schedule',
      'hold',
      'carry_over',
    ])
    expect(PAYMENT_STATUS_LABELS.returned).toBe('組戻し')
  })
})

describe('finalising', () => {
  const green: FinalizeFacts = {
    state: 'computed',
    isMonthOver: true,
    missingDays: 0,
    jobStatuses: ['success', 'failed'],
    unresolvedFailedJobs: 0,
    isDraftStale: false,
    isPreviousMonthFinalized: true,
    violations: [],
    needsTwoPersons: false,
    finalizerUid: 'a',
    preparerUids: ['a'],
    removerUids: [],
  }
  const codes = (parts: Partial<FinalizeFacts>) => finalizeRefusals({ ...green, ...parts }).map(each => each.code)
  test('green', () => expect(codes({})).toEqual([]))
  test.each<[string, Partial<FinalizeFacts>]>([
    ['payment/already-finalized', { state: 'finalized' }],
    ['payment/already-finalized', { state: 'paid' }],
    ['payment/not-computed', { state: 'open' }],
    ['payment/month-not-over', { isMonthOver: false }],
    ['payment/statistics-missing', { missingDays: 2 }],
    ['payment/job-running', { jobStatuses: ['pending'] }],
    ['payment/job-running', { jobStatuses: ['running'] }],
    ['payment/job-failed', { unresolvedFailedJobs: 1 }],
    ['payment/draft-stale', { isDraftStale: true }],
    ['payment/previous-month-open', { isPreviousMonthFinalized: false }],
    ['payment/invariant-violated', { violations: [{ invariant: 'I5', row: '契約 1', detail: '' }] }],
    ['payment/second-person-needed', { needsTwoPersons: true }],
  ])('%s', (code, parts) => expect(codes(parts)).toEqual([code]))
  test('two persons: another preparer is enough', () => {
    expect(codes({ needsTwoPersons: true, preparerUids: ['a', 'b'] })).toEqual([])
    expect(codes({ isDraftStale: true, missingDays: 1 })).toHaveLength(2)
  })
  test('two persons: what nobody prepared has no sole preparer', () => {
    expect(codes({ needsTwoPersons: true, preparerUids: [] })).toEqual([])
  })
  test.each<[readonly string[], readonly string[], boolean]>([
    [[], ['a'], true],
    [['a'], ['b'], true],
    [['b'], ['a'], false],
    [[], ['b'], false],
  ])('two persons: prepared by %j, others’ entries taken back by %j', (preparerUids, removerUids, isRefused) => {
    const needed = isRefused ? ['payment/second-person-needed'] : []
    expect(codes({ needsTwoPersons: true, preparerUids, removerUids })).toEqual(needed)
  })
})
