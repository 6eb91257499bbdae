import { expect, test } from 'vitest'
import { fixedClock } from '../clock.ts'
import type { ConfirmedPart } from './verify-audit-chain.ts'
import { verifySinceLast } from './verify-since-last.ts'

const at = (minute: number) => new Date(Date.parse('2026-11-21T09:00:00+09:00') + minute * 60_000).toISOString()

/** A log of 10 rows more at each reading, all confirmed; `tookMs` of a whole reading. */
function longLog(tookMs = 5_000) {
  const clock = fixedClock(at(0))
  const log = { rows: 0n, problems: [] as string[], tookMs, problemsAfter: [] as string[] }
  const readings: (bigint | 'whole')[] = []
  const ask = verifySinceLast(async (after?: ConfirmedPart) => {
    readings.push(after?.last.seq ?? 'whole')
    log.rows += 10n
    if (!after) clock.set(new Date(clock.now() + log.tookMs).toISOString())
    const problems = after ? log.problemsAfter : log.problems
    const last = { seq: log.rows, hash: 'h', writtenAt: '', previousLine: '' }
    const confirmed = problems.length === 0 ? { lines: 1, last } : undefined
    return { rows: log.rows, anchoredUpTo: log.rows, problems, confirmed }
  }, clock)
  return { ask, clock, log, readings }
}
const settled = () => new Promise(resolve => setImmediate(resolve))

test('a long log is read once, then on from there, and the answer says which rows were read when', async () => {
  const { ask, readings } = longLog()
  expect((await ask(false)).readEarlier).toBeUndefined()
  expect(await ask(false)).toMatchObject({ rows: 20n, readEarlier: { upTo: 10n, at: new Date(at(0)) } })
  expect(await ask(false)).toMatchObject({ rows: 30n, readEarlier: { upTo: 10n, at: new Date(at(0)) } })
  expect(readings).toEqual(['whole', 10n, 10n])
})

test('a short log is read whole for every question', async () => {
  const { ask, readings } = longLog(300)
  for (let n = 0; n < 3; n += 1) expect((await ask(false)).readEarlier).toBeUndefined()
  expect(readings).toEqual(['whole', 'whole', 'whole'])
})

test('anyone who wants all of it read gets that', async () => {
  const { ask, log, readings } = longLog()
  await ask(false)
  log.problems = ['row 3: was changed']
  expect((await ask(false)).problems).toEqual([])
  expect(await ask(true)).toMatchObject({ problems: ['row 3: was changed'], readEarlier: undefined })
  // Nothing is confirmed any more.
  expect((await ask(false)).problems).toEqual(['row 3: was changed'])
  expect(readings).toEqual(['whole', 10n, 'whole', 'whole'])
})

test('what does not hold makes it read all of it, and that verdict is the answer', async () => {
  const { ask, log, readings } = longLog()
  await ask(false)
  log.problemsAfter = ['row 10: is not the one that was confirmed before']
  log.problems = ['row 3: was changed', 'row 10: was changed']
  expect(await ask(false)).toMatchObject({ problems: log.problems, readEarlier: undefined })
  expect(readings).toEqual(['whole', 10n, 'whole'])
})

test('what was confirmed more than an hour ago is confirmed again beside the answer', async () => {
  const { ask, clock, log, readings } = longLog()
  await ask(false)
  clock.set(at(60))
  expect((await ask(false)).readEarlier).toMatchObject({ upTo: 10n })
  await settled()
  expect(readings).toEqual(['whole', 10n])
  clock.set(at(61))
  log.problems = ['row 3: was changed']
  expect(await ask(false)).toMatchObject({ problems: [], readEarlier: { upTo: 10n, at: new Date(at(0)) } })
  await settled()
  expect(readings).toEqual(['whole', 10n, 10n, 'whole'])
  expect((await ask(false)).problems).toEqual(['row 3: was changed'])
})
