import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { day } from '@pc/domain/month/day.ts'
import { beforeTimer } from '@pc/testing/before-timer.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, SYSTEM, type Transaction } from './database.ts'
import { withClient } from './roles.ts'

const tested = await testDatabase({ maxConnections: 2 })
const { database } = tested
afterAll(() => tested.drop())

const ORGANIZATIONS = 20
const uid = '00000000-0000-7000-8000-000000000000'
const tenant = (organizationId: bigint): Scope => ({ kind: 'organization', uid, organizationId })

beforeAll(() =>
  database.inScope(SYSTEM, async tx => {
    for (let number = 1; number <= ORGANIZATIONS; number += 1) {
      const { id } = await tx
        .insertInto('organizations')
        .values({ name: `組織${number}` })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('publishers')
        .values({ organizationId: id, name: `媒体${number}` })
        .execute()
    }
  }),
)

const visibleOrganizations = async (tx: Transaction) => {
  const rows = await tx.selectFrom('publishers').select('organizationId').orderBy('id').execute()
  return rows.map(row => row.organizationId)
}

const sessionState = sql<{ state: string }>`select concat_ws('|', current_user, current_setting('app.scope', true),
  current_setting('app.uid', true), current_setting('app.organization_id', true), current_setting('statement_timeout')) as state`

describe('a scope', () => {
  test('is set in the transaction and gone after its end, however it ended', async () => {
    const single = openDatabase({ url: tested.url, maxConnections: 1 })
    /** A plain connection of the same pool cannot be had; so each next transaction looks at what the last one left. */
    const backend = (tx: Transaction) => sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    const pids = new Set<number>()
    await single.inScope(tenant(1n), async tx => {
      pids.add((await backend(tx)).rows[0]!.pid)
      expect((await sessionState.execute(tx)).rows[0]!.state).toBe(`pc_app|organization|${uid}|1|10s`)
    })
    await single.inScope(tenant(1n), () => Promise.reject(new Error('thrown'))).catch(() => undefined)
    await single.inScope(tenant(1n), tx => sql`select 1/0`.execute(tx)).catch(() => undefined)
    await single.inScope(SYSTEM, async tx => {
      pids.add((await backend(tx)).rows[0]!.pid)
      expect((await sessionState.execute(tx)).rows[0]!.state).toBe('pc_app|all|||10s')
    })
    expect(pids.size).toBe(1) // the same connection all the time
    await single.close()

    await withClient(tested.url, async client => {
      const begin = "begin; select set_config('role','pc_app',true), set_config('app.scope','all',true)"
      for (const end of ['commit', 'rollback']) {
        await client.query(begin)
        await client.query(end)
        const { rows } = await client.query("select current_user as name, current_setting('app.scope', true) as scope")
        expect(rows).toEqual([{ name: 'pc_login', scope: '' }])
      }
    })
  })

  test('never mixes with another one: hundreds of transactions in any order on two connections', async () => {
    const step = fc.record({
      organizationId: fc.bigInt({ min: 1n, max: BigInt(ORGANIZATIONS) }),
      queries: fc.integer({ min: 1, max: 3 }),
      end: fc.constantFrom('commit', 'throw', 'sql-error', 'swallowed-sql-error'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async steps => {
        const outcomes = await Promise.allSettled(
          steps.map(({ organizationId, queries, end }) =>
            database.inScope(tenant(organizationId), async tx => {
              for (let query = 0; query < queries; query += 1) {
                expect(await visibleOrganizations(tx)).toEqual([organizationId])
              }
              if (end === 'throw') throw new Error(end)
              if (end === 'sql-error') await sql`select 1/0`.execute(tx)
              if (end === 'swallowed-sql-error') await sql`select 1/0`.execute(tx).catch(() => undefined)
            }),
          ),
        )
        outcomes.forEach((outcome, index) => {
          expect(outcome.status).toBe(steps[index]!.end === 'commit' ? 'fulfilled' : 'rejected')
          // What went wrong is what was meant to, never an expectation.
          if (outcome.status === 'rejected') expect(String(outcome.reason)).not.toContain('AssertionError')
        })
      }),
      { numRuns: 15 },
    )
  })

  test('takes no value that is not a UUID or an integer', () => {
    const scopes = [
      { kind: 'self', uid: "x',true),set_config('app.scope','all" },
      { kind: 'organization', uid, organizationId: "1',true)--" as unknown as bigint },
      { kind: 'agreements', uid: '', organizationId: null },
    ] as const
    for (const scope of scopes) expect(() => database.inScope(scope, async () => 1)).toThrow(TypeError)
  })
})

describe('a transaction', () => {
  const names = async () =>
    (await database.inScope(SYSTEM, tx => tx.selectFrom('media').select('name').execute())).map(row => row.name)

  test('saves all or nothing', async () => {
    const failing = database.inScope(SYSTEM, async tx => {
      await tx.insertInto('media').values({ id: 7n, name: '消える' }).execute()
      throw new Error('thrown by the work')
    })
    await expect(failing).rejects.toThrow('thrown by the work')
    expect(await names()).toEqual([])
  })

  test('in which an error was swallowed does not pretend to have been saved', async () => {
    const failing = database.inScope(SYSTEM, async tx => {
      await tx.insertInto('media').values({ id: 7n, name: '消える' }).execute()
      await sql`select 1/0`.execute(tx).catch(() => undefined)
    })
    await expect(failing).rejects.toThrow()
    expect(await names()).toEqual([])
  })

  test('refuses a query that was not awaited in time', async () => {
    let escaped: Transaction | undefined
    await database.inScope(SYSTEM, async tx => {
      escaped = tx
    })
    await expect(escaped!.selectFrom('users').selectAll().execute()).rejects.toThrow()
  })

  test('may be read only, and of a stricter isolation', async () => {
    const readOnly = database.inScope(SYSTEM, tx => tx.insertInto('media').values({ id: 7n, name: 'x' }).execute(), {
      readOnly: true,
    })
    await expect(readOnly).rejects.toMatchObject({ code: '25006' })
    const seen = await database.inScope(
      SYSTEM,
      async tx => {
        const before = await tx.selectFrom('media').select('id').execute()
        await database.inScope(SYSTEM, other => other.insertInto('media').values({ id: 8n, name: 'x' }).execute())
        return [before.length, (await tx.selectFrom('media').select('id').execute()).length]
      },
      { isolation: 'repeatable read' },
    )
    expect(seen).toEqual([0, 0])
  })
})

describe('values', () => {
  test('bigint: the whole range, as a column and in arrays', async () => {
    const numbers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    await fc.assert(
      fc.asyncProperty(fc.array(numbers), numbers, async (list, number) => {
        const { rows } = await database.inScope(SYSTEM, tx =>
          sql`select ${number}::int8 as number, ${list}::int8[] as list`.execute(tx),
        )
        expect(rows).toEqual([{ number, list }])
      }),
      { numRuns: 50 },
    )
  })

  test.each(['Asia/Tokyo', 'UTC', 'America/Los_Angeles'])('a day stays the day with a process in %s', async zone => {
    const before = process.env.TZ
    process.env.TZ = zone
    try {
      const days = ['2020-12-01', '2024-02-29', '2026-10-31', '2027-01-01'].map(day)
      const { rows } = await database.inScope(SYSTEM, tx =>
        sql`select unnest(${days}::date[]) as day, ${days}::date[] as days`.execute(tx),
      )
      expect(rows).toEqual(days.map(value => ({ day: value, days })))
    } finally {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    }
  })

  test('an instant stays the instant; the database itself thinks in Tokyo time', async () => {
    const instant = new Date('2026-10-31T15:00:00.123Z')
    const { rows } = await database.inScope(SYSTEM, tx =>
      sql`select ${instant}::timestamptz as instant, ${instant}::timestamptz::date as day`.execute(tx),
    )
    expect(rows).toEqual([{ instant, day: '2026-11-01' }])
  })

  test('keys inside of JSON keep their spelling', async () => {
    const value = { client_id: 'console', redirectUris: ['a'], nested: { snake_case: 1 } }
    await database.inScope(SYSTEM, tx => tx.insertInto('idpSettings').values({ key: 'k', value }).execute())
    const row = await database.inScope(SYSTEM, tx =>
      tx.selectFrom('idpSettings').select('value').executeTakeFirstOrThrow(),
    )
    expect(row.value).toEqual(value)
  })

  test('Japanese text comes back as it was and sorts by code point', async () => {
    const words = ['髙橋', 'ｶﾅ', '日本', 'カナ', 'ひらがな', '𠮷野家', 'A', 'a', '①']
    const { rows } = await database.inScope(SYSTEM, tx =>
      sql<{ word: string }>`select word from unnest(${words}::text[]) as t (word) order by word`.execute(tx),
    )
    const byCodePoint = [...words].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect(rows.map(row => row.word)).toEqual(byCodePoint)
  })
})

describe('when the database does not answer', () => {
  test('a long statement is ended', async () => {
    const slow = database.inScope(SYSTEM, tx => sql`select pg_sleep(20)`.execute(tx), { statementTimeoutMs: 50 })
    await expect(slow).rejects.toMatchObject({ code: '57014' })
    expect(await database.inScope(SYSTEM, visibleOrganizations)).toHaveLength(ORGANIZATIONS)
  })

  test('a connection that ends in the middle fails its transaction only', async () => {
    const failing = database.inScope(SYSTEM, async tx => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await withClient(tested.adminUrl, client => client.query('select pg_terminate_backend($1)', [rows[0]!.pid]))
      await visibleOrganizations(tx)
    })
    await expect(failing).rejects.toThrow()
    const all = await Promise.all(Array.from({ length: 6 }, () => database.inScope(SYSTEM, visibleOrganizations)))
    expect(all.map(list => list.length)).toEqual(Array(6).fill(ORGANIZATIONS))
  })

  test('idle connections may end without harm', async () => {
    const other = openDatabase({ url: tested.url })
    await Promise.all([1, 2, 3].map(() => other.inScope(SYSTEM, visibleOrganizations)))
    await withClient(tested.adminUrl, client =>
      client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where usename = 'pc_login' and datname = current_database() and pid <> pg_backend_pid()`,
      ),
    )
    // At once: also a connection of which the pool does not know yet that it is dead must not fail a request.
    const answers = await Promise.all([1, 2, 3].map(() => other.inScope(SYSTEM, visibleOrganizations)))
    expect(answers.map(answer => answer.length)).toEqual(Array(3).fill(ORGANIZATIONS))
    await other.close()
  })

  // Its own proxy stands before the server's socket, which a pooler has not got.
  test.skipIf(process.env.TEST_POOLER)(
    'a database that went silent fails the request in time, and answers again afterwards',
    async () => {
      const proxy = await startProxy(tested.url)
      const other = openDatabase({ url: proxy.url, maxConnections: 1 })
      await other.inScope(SYSTEM, visibleOrganizations)
      proxy.silence(true)
      const requests = [1, 2].map(() => other.inScope(SYSTEM, visibleOrganizations, { statementTimeoutMs: 200 }))
      const outcomes = await beforeTimer(Promise.allSettled(requests), 15_000)
      expect(outcomes).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
      proxy.silence(false)
      expect(await other.inScope(SYSTEM, visibleOrganizations)).toHaveLength(ORGANIZATIONS)
      await other.close()
      await proxy.close()
    },
  )
})

/** Stands between the pool and the server and can stop passing anything on, as a network that lost its way does. */
async function startProxy(url: string) {
  const target = new URL(url.replace('@/', '@x/'))
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-proxy-'))
  let isSilent = false
  const sockets = new Set<net.Socket>()
  const server = net.createServer(client => {
    const upstream = net.connect(path.join(target.searchParams.get('host')!, '.s.PGSQL.5432'))
    const pass = (from: net.Socket, to: net.Socket) => {
      sockets.add(from)
      from.on('data', data => {
        if (!isSilent) to.write(data)
      })
      from.on('error', () => {})
      from.on('close', () => to.destroy())
    }
    pass(client, upstream)
    pass(upstream, client)
  })
  await new Promise<void>(resolve => server.listen(path.join(folder, '.s.PGSQL.5432'), resolve))
  return {
    url: url.replace(/host=.*/, `host=${encodeURIComponent(folder)}`),
    silence(silent: boolean) {
      isSilent = silent
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
