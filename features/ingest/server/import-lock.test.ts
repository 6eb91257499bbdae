import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importLock } from './import-lock.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase({ maxConnections: 3 })
})
afterAll(() => db?.drop())

/** Ends the connection that holds an advisory lock, as a failover does. */
const endHolder = () =>
  db.database.inScope(SYSTEM, tx =>
    sql`select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and d.datname = current_database() and l.pid <> pg_backend_pid()`.execute(tx),
  )

test('an import whose connection is lost may not go on, and the next one gets the lock', async () => {
  const withLock = importLock(db.database)
  const steps: string[] = []
  const lost = withLock(async lock => {
    await lock.assertHeld()
    steps.push('held')
    await endHolder()
    await lock.assertHeld()
    steps.push('went on')
  })
  await expect(lost).rejects.toThrow()
  await withLock(async lock => {
    await lock.assertHeld()
    steps.push('next')
  })
  expect(steps).toEqual(['held', 'next'])
})

test('an import that fails gives the lock back; the others come one after the other', async () => {
  const withLock = importLock(db.database)
  let running = 0
  const work = async (isFailing: boolean) =>
    withLock(async () => {
      expect(++running).toBe(1)
      await Promise.resolve()
      running -= 1
      if (isFailing) throw new Error('refused')
      return 'done'
    })
  const answers = await Promise.allSettled([work(true), work(false), work(false)])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
})
