import pg from 'pg'
import { argumentsOfWork } from '../faults/warm-process.ts'
import { closeAndNotify, inSystem, type TestClose } from './close-fixture.ts'

/**
 * A process for tests that kill it: a whole close, from computing to the emails. It prints `begin`, then `closed`
 * before the payees are notified and `end` at the end, both with the number of statements sent to PostgreSQL so far.
 * `killAt` n kills it right after the n-th.
 */
const [text = '{}'] = await argumentsOfWork()
const { killAt, mediumIds, ...of } = JSON.parse(text) as Omit<TestClose, 'mediumIds'> & {
  readonly killAt: number
  readonly mediumIds: readonly string[]
}
let statements = 0
const { query } = pg.Client.prototype
await inSystem(of, async parts => {
  /** Counts every statement; the last one may or may not reach the server. */
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    statements += 1
    const answer: unknown = Reflect.apply(query, this, given)
    if (statements === killAt) process.kill(process.pid, 'SIGKILL')
    return answer
  } as typeof query
  process.stdout.write('begin\n')
  await closeAndNotify(parts, { ...of, mediumIds: mediumIds.map(BigInt) }, () =>
    process.stdout.write(`closed ${statements}\n`),
  )
  process.stdout.write(`end ${statements}\n`)
})
process.exit(0)
