import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sumBy } from '../money/yen.ts'
import {
  BASE_FIGURES,
  type BaseFigure,
  type BaseSums,
  CHANGE_METRICS,
  figuresOf,
  identityOf,
  METRIC_IDENTITIES,
  type MetricIdentity,
} from '../report/metric-identity.ts'
import { differenceOf, factorParts, type Member, memberParts, type Sides } from './change-parts.ts'
import { shapleyOfProduct } from './shapley.ts'
import { splitExactly } from './split-exactly.ts'

const amounts = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0n) },
  fc.bigInt({ min: 0n, max: 20n }),
  fc.bigInt({ min: -50n, max: 10n ** 15n }),
)
const sums: fc.Arbitrary<BaseSums> = fc
  .tuple(...BASE_FIGURES.map(() => amounts))
  .map(values => Object.fromEntries(BASE_FIGURES.map((figure, place) => [figure, values[place]!])))
const sides: fc.Arbitrary<Sides> = fc.record({ before: sums, now: sums })
const memberSides = fc
  .array(sides, { minLength: 0, maxLength: 9 })
  .map(all => all.map((each, place): Member => ({ id: `${place}`, ...each })))
const totalOf = (members: readonly Sides[]): Sides => {
  const total = (side: keyof Sides) =>
    Object.fromEntries(BASE_FIGURES.map(figure => [figure, sumBy(members, member => member[side][figure] ?? 0n)]))
  return { before: total('before'), now: total('now') }
}
const metrics = fc.constantFrom(...CHANGE_METRICS)

describe('factors', () => {
  test('sum to the difference exactly, of every metric', () => {
    fc.assert(
      fc.property(metrics, sides, (metric, given) => {
        const identity = identityOf(metric)
        const difference = differenceOf(identity, given)
        expect(sumBy(factorParts(identity, given), part => part.difference)).toBe(difference ?? 0n)
      }),
      { numRuns: 3000 },
    )
  })

  test('do not depend on the order of the factors', () => {
    fc.assert(
      fc.property(metrics, sides, (metric, given) => {
        const identity = identityOf(metric)
        const turned: MetricIdentity = { ...identity, products: identity.products.map(factors => factors.toReversed()) }
        const byId = (each: MetricIdentity) => new Map(factorParts(each, given).map(part => [part.id, part.difference]))
        expect(byId(turned)).toEqual(byId(identity))
      }),
      { numRuns: 1000 },
    )
  })

  test('agree with a second computation: the mean over every order in which the factors can change', () => {
    const fraction = fc.tuple(fc.bigInt({ min: -99n, max: 99n }), fc.bigInt({ min: 1n, max: 9n }))
    const values = fc.array(fc.tuple(fraction, fraction), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(values, given => {
        const parts = shapleyOfProduct(
          given.map(([before, now]) => ({
            before: { numerator: before[0], denominator: before[1] },
            now: { numerator: now[0], denominator: now[1] },
          })),
        )
        const numbers = given.map(pair => pair.map(([n, d]) => Number(n) / Number(d)))
        const product = (changed: ReadonlySet<number>) =>
          numbers.reduce((all, pair, place) => all * pair[changed.has(place) ? 1 : 0]!, 1)
        const orders = permutations(given.map((_, place) => place))
        for (const [place, part] of parts.entries()) {
          const added = orders.map(order => {
            const earlier = new Set(order.slice(0, order.indexOf(place)))
            return product(new Set([...earlier, place])) - product(earlier)
          })
          const mean = added.reduce((all, each) => all + each, 0) / orders.length
          expect(Number(part.numerator) / Number(part.denominator)).toBeCloseTo(mean, 4)
        }
      }),
    )
  })

  test('revenue is impressions × click rate × money per click', () => {
    const given = {
      before: { articleImpressions: 1_000n, articleClicks: 100n, publisherTotalRevenue: 5_000_000_000n },
      now: { articleImpressions: 2_000n, articleClicks: 200n, publisherTotalRevenue: 10_000_000_000n },
    }
    const parts = factorParts(identityOf('publisherTotalRevenue'), given)
    expect(parts.map(part => [part.id, part.difference])).toEqual([
      ['impressions', 5_000_000_000n],
      ['ctr', 0n],
      ['perClick', 0n],
    ])
  })

  test('without clicks it is impressions × money per impression, without impressions it is one part', () => {
    const identity = identityOf('publisherTotalRevenue')
    const parts = (before: BaseSums, now: BaseSums) => factorParts(identity, { before, now }).map(part => part.id)
    const some = { articleImpressions: 10n, articleClicks: 1n, publisherTotalRevenue: 7n }
    expect(parts(some, some)).toEqual(['impressions', 'ctr', 'perClick'])
    expect(parts({ ...some, articleClicks: 0n }, some)).toEqual(['impressions', 'perMille'])
    expect(parts({}, some)).toEqual(['itself'])
    expect(parts(some, {})).toEqual(['itself'])
  })
})

describe('members', () => {
  test('sum to the difference exactly, of every metric, however few are listed', () => {
    fc.assert(
      fc.property(metrics, memberSides, sides, fc.nat(10), (metric, members, outside, limit) => {
        const identity = identityOf(metric)
        const ofMembers = totalOf(members)
        const all = totalOf([...members, outside])
        const difference = differenceOf(identity, all)
        const parts = memberParts(identity, all, members, limit, ofMembers)
        expect(sumBy(parts, part => part.difference)).toBe(difference ?? 0n)
        expect(parts.filter(({ kind }) => kind !== 'others' && kind !== 'outside').length).toBeLessThanOrEqual(limit)
      }),
      { numRuns: 3000 },
    )
  })

  test('do not depend on the order of the members', () => {
    fc.assert(
      fc.property(metrics, memberSides, fc.nat(5), (metric, members, limit) => {
        const identity = identityOf(metric)
        const parts = (given: readonly Member[]) => memberParts(identity, totalOf(given), given, limit)
        expect(parts(members.toReversed())).toEqual(parts(members))
      }),
      { numRuns: 1000 },
    )
  })

  test('of a ratio: the mean of both orders in which numerator and divisor can change, computed apart', () => {
    const small = fc.bigInt({ min: 1n, max: 500n })
    const side = fc.record({ articleClicks: small, articleImpressions: small })
    const some = fc.array(fc.record({ before: side, now: side }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(some, given => {
        const members = given.map((each, place): Member => ({ id: `${place}`, ...each }))
        const parts = memberParts(METRIC_IDENTITIES.ctr, totalOf(members), members, 9)
        const total = (name: 'articleClicks' | 'articleImpressions', of: 'before' | 'now') =>
          given.reduce((all, each) => all + Number(each[of][name]), 0)
        const [n0, n1] = [total('articleClicks', 'before'), total('articleClicks', 'now')]
        const [d0, d1] = [total('articleImpressions', 'before'), total('articleImpressions', 'now')]
        for (const { id, difference } of parts) {
          const { before, now } = given[Number(id)]!
          const clicks = Number(now.articleClicks - before.articleClicks)
          const share = Number(now.articleImpressions - before.articleImpressions) / (d1 - d0 || 1)
          const numeratorFirst = clicks / d0 + share * (n1 / d1 - n1 / d0)
          const divisorFirst = clicks / d1 + share * (n0 / d1 - n0 / d0)
          if (d1 === d0) continue
          expect(Math.abs(Number(difference) / 1e9 - (numeratorFirst + divisorFirst) / 2)).toBeLessThan(1e-8)
        }
      }),
    )
  })

  test('a member that grows in step with the ratio contributes nothing', () => {
    const even = {
      before: { articleClicks: 5n, articleImpressions: 100n },
      now: { articleClicks: 50n, articleImpressions: 1_000n },
    }
    const members = [
      { id: 'a', ...even },
      { id: 'b', before: even.now, now: even.now },
    ]
    expect(memberParts(METRIC_IDENTITIES.ctr, totalOf(members), members, 5)).toEqual([])
  })

  test('says which are new and which are gone', () => {
    const some = { articleImpressions: 10n }
    const members: Member[] = [
      { id: 'a', before: {}, now: some },
      { id: 'b', before: some, now: {} },
      { id: 'c', before: some, now: { articleImpressions: 11n } },
    ]
    const parts = memberParts(METRIC_IDENTITIES.articleImpressions, totalOf(members), members, 2)
    expect(parts.map(({ id, kind, difference }) => [id, kind, difference])).toEqual([
      ['a', 'new', 10n],
      ['b', 'gone', -10n],
      ['others', 'others', 1n],
    ])
  })
})

test('a member that earns nothing any more, but is still shown, is not gone', () => {
  const shown = { articleImpressions: 10n }
  const members: Member[] = [
    { id: 'a', before: { ...shown, publisherTotalRevenue: 5n }, now: shown },
    { id: 'b', before: { publisherTotalRevenue: 5n }, now: {} },
  ]
  const parts = memberParts(identityOf('publisherTotalRevenue'), totalOf(members), members, 5)
  expect(parts.map(({ id, kind }) => [id, kind])).toEqual([
    ['a', 'changed'],
    ['b', 'gone'],
  ])
})

test('what is left goes to the largest remainders, one each', () => {
  const thirds = ['a', 'b', 'c'].map(id => ({ id, value: { numerator: 1n, denominator: 3n } }))
  expect(splitExactly(1n, thirds)).toEqual([1n, 0n, 0n])
  expect(splitExactly(1n, thirds.toReversed())).toEqual([0n, 0n, 1n])
  expect(() => splitExactly(9n, thirds)).toThrow(RangeError)
})

test('an identity reads the figures that it names', () => {
  const all: readonly BaseFigure[] = figuresOf(identityOf('rpm'))
  expect(all).toContain('liveImpressions')
  expect(figuresOf(identityOf('articleImpressions'))).toEqual(['articleImpressions'])
})

function permutations(places: readonly number[]): number[][] {
  if (places.length <= 1) return [[...places]]
  return places.flatMap(first => permutations(places.filter(place => place !== first)).map(rest => [first, ...rest]))
}
