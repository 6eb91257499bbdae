import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ANOMALY_RULES, isInCommon, judgeDay } from './anomaly.ts'

const eight = (...values: number[]) => values.map(BigInt)
/** Around 10,000: the median is 10,000, the median distance 300. */
const WEEKS = eight(9_700, 10_300, 9_600, 10_400, 10_000, 10_000, 9_700, 10_300)
const judge = (value: number, before = WEEKS, goingOn?: 'drop' | 'rise') =>
  judgeDay('impressions', BigInt(value), before, goingOn)

describe('a day against its weekday', () => {
  test('begins at half and at double, and not before', () => {
    expect(judge(5_001)).toEqual({ usual: 10_000n, change: undefined })
    expect(judge(5_000).change).toBe('drop')
    expect(judge(0).change).toBe('drop')
    expect(judge(19_999).change).toBeUndefined()
    expect(judge(20_000).change).toBe('rise')
  })

  test('has to be farther than these days usually are', () => {
    // Median 10,000, median distance 4,000: no drop can be as large as 4 × 6,000.
    const wild = eight(6_000, 14_000, 5_000, 15_000, 6_000, 14_000, 9_000, 11_000)
    expect(judge(0, wild)).toEqual({ usual: 10_000n, change: undefined })
    expect(judge(33_999, wild).change).toBeUndefined()
    expect(judge(34_000, wild).change).toBe('rise')
  })

  test('what goes on ends later than it began, and can turn', () => {
    expect(judge(6_999, WEEKS, 'drop').change).toBe('drop')
    expect(judge(7_000, WEEKS, 'drop').change).toBeUndefined()
    expect(judge(15_001, WEEKS, 'rise').change).toBe('rise')
    expect(judge(15_000, WEEKS, 'rise').change).toBeUndefined()
    expect(judge(25_000, WEEKS, 'drop').change).toBe('rise')
    expect(judge(6_999, WEEKS, 'rise').change).toBeUndefined()
  })

  test('small figures and short histories say nothing', () => {
    const of = (usual: bigint) => Array.from({ length: 8 }, () => usual)
    const { leastUsual, leastWeeks } = ANOMALY_RULES
    for (const figure of ['impressions', 'clicks', 'revenue'] as const) {
      expect(judgeDay(figure, 0n, of(leastUsual[figure])).change).toBe('drop')
      expect(judgeDay(figure, 0n, of(leastUsual[figure] - 1n)).change).toBeUndefined()
    }
    expect(judge(0, WEEKS.slice(0, leastWeeks)).change).toBe('drop')
    expect(judge(0, WEEKS.slice(0, leastWeeks - 1))).toEqual({ usual: null, change: undefined })
  })

  test('one wild week changes nothing, and the order of the weeks does not matter', () => {
    const weeks = fc.array(fc.bigInt({ min: 9_800n, max: 10_200n }), { minLength: 7, maxLength: 7 })
    fc.assert(
      fc.property(weeks, fc.bigInt({ min: 0n, max: 10n ** 18n }), (calm, wild) => {
        expect(judgeDay('impressions', 4_000n, [...calm, wild]).change).toBe('drop')
        expect(judgeDay('impressions', 10_000n, [wild, ...calm]).change).toBeUndefined()
        expect(judgeDay('impressions', 4_321n, [...calm, wild])).toEqual(
          judgeDay('impressions', 4_321n, [wild, ...calm]),
        )
      }),
    )
  })

  test('is either, never both: the farther from usual, the sooner', () => {
    const weeks = fc.array(fc.bigInt({ min: 0n, max: 10n ** 15n }), { minLength: 5, maxLength: 8 })
    fc.assert(
      fc.property(
        weeks,
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        (before, value, more) => {
          const { usual, change } = judgeDay('clicks', value, before)
          if (change === 'drop') {
            expect(value * 2n <= usual! + 1n).toBe(true)
            expect(judgeDay('clicks', value > more ? value - more : 0n, before).change).toBe('drop')
          }
          if (change === 'rise') {
            expect(value >= usual! * 2n).toBe(true)
            expect(judgeDay('clicks', value + more, before).change).toBe('rise')
          }
        },
      ),
    )
  })
})

test('what happens to a third of the publishers is nobody’s own', () => {
  expect([
    isInCommon(2, 10),
    isInCommon(3, 10),
    isInCommon(9, 9),
    isInCommon(299, 1000),
    isInCommon(300, 1000),
  ]).toEqual([...[false, true, false, false, true]])
})
