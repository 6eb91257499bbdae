import { execFileSync } from 'node:child_process'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileOnce } from './compile-once.ts'
import { connectionOptions } from './connection-options.ts'
import { SYSTEM } from './database.ts'
import { FrequentStatements } from './prepared-read.ts'
import { withClient } from './roles.ts'
import { scopedDialect } from './scoped-driver.ts'
import { sendWithCommit } from './sent-with-commit.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await testDatabase({ maxConnections: 1 })
})
afterAll(() => own?.drop())

const insert = compileOnce<{ name: string }, never>((place, builder) =>
  builder.insertInto('organizations').values({ name: place('name') }),
)
const names = async () => {
  const rows = await own.database.reader(SYSTEM).selectFrom('organizations').select('name').orderBy('id').execute()
  const all = rows.map(({ name }) => name)
  await own.database.inScope(SYSTEM, tx => tx.deleteFrom('organizations').execute())
  return all
}

describe('what is sent with the commit', () => {
  test('is done in turn, whether or not anything came before it', async () => {
    for (let time = 0; time < 6; time += 1) {
      await own.database.inScope(SYSTEM, async tx => {
        await sendWithCommit(tx, insert({ name: '1' }))
        await sendWithCommit(tx, insert({ name: '2' }))
      })
      await own.database.inScope(SYSTEM, async tx => {
        await tx.insertInto('organizations').values({ name: '3' }).execute()
        await sendWithCommit(tx, insert({ name: '4' }))
      })
      expect(await names()).toEqual(['1', '2', '3', '4'])
    }
  })

  test('comes before what the transaction sends after it', async () => {
    const seen = await own.database.inScope(SYSTEM, async tx => {
      await sendWithCommit(tx, insert({ name: '1' }))
      const found = await tx.selectFrom('organizations').select('name').execute()
      await sendWithCommit(tx, insert({ name: '2' }))
      return found
    })
    expect(seen).toEqual([{ name: '1' }])
    expect(await names()).toEqual(['1', '2'])
  })

  test('fails the transaction when it fails, and the next one is well', async () => {
    for (let time = 0; time < 6; time += 1) {
      const failing = own.database.inScope(SYSTEM, async tx => {
        await tx.insertInto('organizations').values({ name: '1' }).execute()
        await sendWithCommit(tx, insert({ name: '2' }))
        await sendWithCommit(tx, insert({ name: '' }))
        await sendWithCommit(tx, insert({ name: '3' }))
      })
      await expect(failing).rejects.toMatchObject({ code: '23514' })
      expect(await names()).toEqual([])
    }
  })

  test('is not done when the transaction is given up', async () => {
    const given = own.database.inScope(SYSTEM, async tx => {
      await sendWithCommit(tx, insert({ name: '1' }))
      throw new Error('given up')
    })
    await expect(given).rejects.toThrow('given up')
    expect(await names()).toEqual([])
  })

  test('saves nothing after a statement that failed, even if its error was ignored', async () => {
    const work = own.database.inScope(SYSTEM, async tx => {
      await sql`select 1 / ${0}::int`.execute(tx).catch(() => {})
      await sendWithCommit(tx, insert({ name: '1' }))
    })
    await expect(work).rejects.toThrow(/aborted/)
    expect(await names()).toEqual([])
  })

  test('takes texts alone', async () => {
    const number = compileOnce<{ id: bigint }, never>(place => sql`delete from organizations where id = ${place('id')}`)
    const work = own.database.inScope(SYSTEM, tx => sendWithCommit(tx, number({ id: 1n })))
    await expect(work).rejects.toThrow('takes no bigint')
    expect(await names()).toEqual([])
  })
})

describe('the first statement of a transaction', () => {
  test('may fail, be several in one text, or not be', async () => {
    await expect(own.database.inScope(SYSTEM, tx => sql`select 1 / ${0}::int`.execute(tx))).rejects.toThrow('zero')
    await own.database.inScope(SYSTEM, tx =>
      sql
        .raw(`insert into organizations (name) values ('1'); insert into organizations (name) values ('2')`)
        .execute(tx),
    )
    expect(await own.database.inScope(SYSTEM, async () => 'nothing')).toBe('nothing')
    await expect(own.database.inScope(SYSTEM, () => Promise.reject(new Error('nor this')))).rejects.toThrow('nor this')
    expect(await names()).toEqual(['1', '2'])
  })

  /** Meanwhile this process hears nothing: its pool does not know. */
  const endConnection = async () => {
    const { rows } = await own.database.inScope(SYSTEM, tx =>
      sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx),
    )
    const script = `const pg = require('pg')
      const client = new pg.Client(process.argv[1])
      client.connect().then(() => client.query('select pg_terminate_backend(${rows[0]!.pid}, 10000)')).then(() => client.end())`
    execFileSync(process.execPath, ['-e', script, own.adminUrl], { cwd: import.meta.dirname })
  }

  test('is done once, on another connection, when the pool holds one that is dead', async () => {
    await endConnection()
    await own.database.inScope(SYSTEM, async tx => {
      await tx.insertInto('organizations').values({ name: '1' }).execute()
      await sendWithCommit(tx, insert({ name: '2' }))
    })
    expect(await names()).toEqual(['1', '2'])
  })

  test('is done once so, too, where the transaction has nothing but what is sent with the commit', async () => {
    await endConnection()
    await own.database.inScope(SYSTEM, tx => sendWithCommit(tx, insert({ name: '1' })))
    expect(await names()).toEqual(['1'])
  })

  test('of what cannot begin is not repeated, and nothing is done outside of it, even if its error was ignored', async () => {
    const pool = new pg.Pool({ ...connectionOptions(own.adminUrl), max: 3 })
    let connections = 0
    pool.on('connect', () => (connections += 1))
    const begin = [{ text: 'begin isolation level unknown', values: [] }]
    const dialect = scopedDialect({ pool, begin, statementTimeoutMs: 5_000, frequent: new FrequentStatements() })
    const work = new Kysely({ dialect }).transaction().execute(async tx => {
      await expect(sql`select 1`.execute(tx)).rejects.toMatchObject({ code: '42601' })
      await sql`insert into organizations (name) values (${'1'})`.execute(tx).catch(() => {})
    })
    await expect(work).rejects.toThrow()
    expect(connections).toBe(1)
    expect(await names()).toEqual([])
    await pool.end()
  })

  test('is prepared again after the server could not, when it was first to be kept', async () => {
    const first = sql<{ n: bigint }>`select count(*) as n from organizations where name = ${'1'}`
    const ask = () => own.database.inScope(SYSTEM, async tx => (await first.execute(tx)).rows)
    for (let time = 0; time < 3; time += 1) expect(await ask()).toEqual([{ n: 0n }])
    await withClient(own.adminUrl, client => client.query('alter table organizations rename to renamed'))
    await expect(ask()).rejects.toMatchObject({ code: '42P01' })
    await withClient(own.adminUrl, client => client.query('alter table renamed rename to organizations'))
    for (let time = 0; time < 3; time += 1) expect(await ask()).toEqual([{ n: 0n }])
  })

  test('sees the settings of its scope, which end with the transaction', async () => {
    const state = sql<{ state: string }>`select concat_ws('|', current_user, current_setting('app.scope', true),
      current_setting('app.organization_id', true), current_setting('transaction_isolation')) as state`
    const uid = '00000000-0000-7000-8000-000000000000'
    const inScope = { kind: 'organization', uid, organizationId: 7n } as const
    const seen = await own.database.inScope(inScope, tx => state.execute(tx), { isolation: 'repeatable read' })
    expect(seen.rows).toEqual([{ state: 'pc_app|organization|7|repeatable read' }])
    expect((await own.database.inScope(SYSTEM, tx => state.execute(tx))).rows).toEqual([
      { state: 'pc_app|all||read committed' },
    ])
  })
})
