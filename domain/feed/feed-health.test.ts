import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, day, dayOfWeek } from '../month/day.ts'
import {
  FEED_ERROR_CLASSES,
  type FeedAlert,
  type FeedHealth,
  type FeedReadingOutcome,
  feedState,
  feedVolume,
  medianHundredths,
  nextHealth,
  nextReadingAt,
  UNCHECKED,
} from './feed-health.ts'

const MINUTE = 60_000
const outcome: fc.Arbitrary<FeedReadingOutcome> = fc.oneof(
  fc.constant<FeedReadingOutcome>({ ok: true }),
  fc.record({ ok: fc.constant(false as const), errorClass: fc.constantFrom(...FEED_ERROR_CLASSES) }),
)
const readings = fc.array(fc.record({ pauseMs: fc.integer({ min: 1, max: 90 * MINUTE }), outcome }), { maxLength: 60 })

interface Step {
  readonly at: number
  readonly outcome: FeedReadingOutcome
  readonly before: FeedHealth
  readonly health: FeedHealth
  readonly alert: FeedAlert | undefined
}
function play(rows: readonly { pauseMs: number; outcome: FeedReadingOutcome }[]): Step[] {
  let [at, health] = [1_700_000_000_000, UNCHECKED]
  return rows.map(row => {
    const before = health
    at += row.pauseMs
    const next = nextHealth(health, at, row.outcome)
    health = next.health
    return { at, outcome: row.outcome, before, health, alert: next.alert }
  })
}

describe('one alert per outage', () => {
  test('alerts alternate: began, ended, began …, and each belongs to its readings', () => {
    fc.assert(
      fc.property(readings, rows => {
        const steps = play(rows)
        const alerts = steps.flatMap(step => step.alert ?? [])
        alerts.forEach((alert, index) => {
          expect(alert).toBe(index % 2 === 0 ? 'outage-began' : 'outage-ended')
        })
        for (const step of steps) {
          if (step.alert === 'outage-began') expect(step.outcome.ok).toBe(false)
          if (step.alert === 'outage-ended') expect(step.outcome.ok).toBe(true)
        }
      }),
    )
  })

  test('the number of alerts is the number of runs of failures that are long enough', () => {
    fc.assert(
      fc.property(readings, rows => {
        const steps = play(rows)
        const runs: Step[][] = []
        for (const step of steps) {
          const last = runs.at(-1)
          if (step.outcome.ok) runs.push([])
          else if (last) last.push(step)
          else runs.push([step])
        }
        const outages = runs.filter(run =>
          run.some((step, index) => index >= 2 && step.at - (run[0]?.at ?? 0) >= 30 * MINUTE),
        )
        expect(steps.filter(step => step.alert === 'outage-began')).toHaveLength(outages.length)
      }),
    )
  })

  test('what is remembered agrees with what happened', () => {
    fc.assert(
      fc.property(readings, rows => {
        const steps = play(rows)
        const last = steps.at(-1)
        if (!last) return
        const successes = steps.filter(step => step.outcome.ok)
        expect(last.health.lastSuccessAt).toBe(successes.at(-1)?.at ?? null)
        expect(last.health.failures).toBe(
          last.outcome.ok ? 0 : steps.length - 1 - steps.findLastIndex(s => s.outcome.ok),
        )
        expect(last.health.failingSince === null).toBe(last.outcome.ok)
        expect(feedState(last.health, undefined)).toBe(
          last.health.alertedAt !== null ? 'outage' : last.outcome.ok ? 'ok' : 'failing',
        )
      }),
    )
  })
})

describe('volume', () => {
  const friday = day('2026-11-20')
  const byDay = (counts: Readonly<Record<string, number>>) => (at: string) => counts[at]

  test('the median of the same weekday of four weeks', () => {
    const counts = { '2026-11-20': 1, '2026-11-13': 10, '2026-11-06': 20, '2026-10-30': 12, '2026-10-23': 11 }
    expect(feedVolume(friday, byDay(counts))).toEqual({ day: friday, items: 1, usualHundredths: 1150, isLow: true })
    expect(feedVolume(friday, byDay({ ...counts, '2026-11-20': 3 }))?.isLow).toBe(false)
  })
  test('other weekdays do not count', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(500), { minLength: 40, maxLength: 40 }), counts => {
        const of = (at: string) => counts[Math.abs(Number(at.slice(8)) + Number(at.slice(5, 7)) * 31) % 40]
        const changed = (at: string) => (dayOfWeek(day(at)) === dayOfWeek(friday) ? of(at) : 0)
        expect(feedVolume(friday, changed)).toEqual(feedVolume(friday, of))
      }),
    )
  })
  test('unknown days say nothing', () => {
    expect(feedVolume(friday, () => undefined)).toBeUndefined()
    const one = { '2026-11-20': 0, [addDays(friday, -7)]: 100 }
    expect(feedVolume(friday, byDay(one))).toMatchObject({ usualHundredths: null, isLow: false })
  })
  test('the median lies in the middle', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(10_000), { minLength: 1, maxLength: 9 }), counts => {
        const median = medianHundredths(counts)
        const below = counts.filter(count => count * 100 < median).length
        const above = counts.filter(count => count * 100 > median).length
        expect(below).toBeLessThanOrEqual(counts.length / 2)
        expect(above).toBeLessThanOrEqual(counts.length / 2)
        expect(medianHundredths([...counts].reverse())).toBe(median)
      }),
    )
  })
  test('a feed is quiet, failing or out, never two at once', () => {
    const low = { day: friday, items: 0, usualHundredths: 1000, isLow: true }
    const readable = { ...UNCHECKED, checkedAt: 1, lastSuccessAt: 1 }
    expect(feedState(UNCHECKED, undefined)).toBe('unchecked')
    expect(feedState(readable, low)).toBe('quiet')
    expect(feedState({ ...readable, failures: 1 }, low)).toBe('failing')
    expect(feedState({ ...readable, failures: 9, alertedAt: 1 }, low)).toBe('outage')
  })
})

test('failing sites are read ever more seldom, none more often than it wants', () => {
  fc.assert(
    fc.property(fc.nat(3000), fc.nat(40), (ttlMinutes, failures) => {
      const next = (count: number) => nextReadingAt({ ...UNCHECKED, failures: count }, 0, ttlMinutes)
      expect(next(failures + 1)).toBeGreaterThanOrEqual(next(failures))
      expect(next(failures)).toBeGreaterThanOrEqual(Math.max(5, Math.min(ttlMinutes, 1440)) * MINUTE)
      expect(next(failures)).toBeLessThanOrEqual(24 * 60 * MINUTE)
    }),
  )
})
