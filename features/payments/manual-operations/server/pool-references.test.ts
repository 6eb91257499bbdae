import { withClient } from '@pc/platform/postgres/roles.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// What a foreign key of each column did before, and statements do now (db/postgres/0812).

let own: TestDatabase
/** Ids of rows that nothing else names. */
const AGREEMENT = 71n
const PUBLISHER = 72n
let dividend: bigint

beforeAll(async () => {
  own = await testDatabase()
  dividend = await asAdmin(async client => {
    await client.query(`
      insert into media values (70, 'pools');
      insert into organizations (id, name) overriding system value values (70, 'org');
      insert into agreements (id, medium_id, organization_id, name, code) overriding system value
        select n, 70, 70, 'a' || n, 'C-' || n from unnest(array[71, 81, 82, 83]) n;
      insert into publishers (id, organization_id, name) overriding system value values (72, 70, 'p'), (83, 70, 'q');
      insert into dividend_operations (month) values (203001)`)
    const { rows } = await client.query<{
      id: bigint
    }>(`insert into dividends (operation_id, medium_id, month, kind, method,
        extra_revenue_yen, extra_revenue_month, job_status, completed_at)
      select id, 70, 203001, 'ssp', 'payment', 1, 203001, 'success', now() from dividend_operations returning id`)
    return BigInt(rows[0]!.id)
  })
})
afterAll(() => own?.drop())

const asAdmin = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => withClient(own.adminUrl, work)

interface Named {
  readonly dividendId?: bigint
  readonly agreementId?: bigint
  readonly publisherId?: bigint
  readonly reversesId?: bigint | null
}
const insertWeight = (
  client: pg.Client,
  { dividendId = dividend, agreementId = AGREEMENT, publisherId = PUBLISHER }: Named,
) => client.query('insert into dividend_weights values ($1, $2, $3, 1)', [dividendId, agreementId, publisherId])
const insertLine = (
  client: pg.Client,
  { dividendId = dividend, agreementId = AGREEMENT, publisherId = PUBLISHER, reversesId = null }: Named,
) =>
  client.query(
    `insert into dividend_ledger_lines (dividend_id, medium_id, month, kind, method, booking, agreement_id, publisher_id,
      line, quota_yen, allocated_yen, amount_yen, reverses_dividend_id)
    values ($1, 70, 203001, 'ssp', 'payment', 1, $2, $3, 0, 1, 1, 1, $4)`,
    [dividendId, agreementId, publisherId, reversesId],
  )

/** Runs in a transaction that is rolled back. */
const tried = (work: (client: pg.Client) => Promise<unknown>) =>
  asAdmin(async client => {
    await client.query('begin')
    await work(client)
  })
const refusedBy = (constraint: string) => ({ code: '23503', constraint })

describe('a row that names nothing is refused', () => {
  test.each<[string, typeof insertWeight, Named]>([
    ['dividend_weights_dividend_id_fkey', insertWeight, { dividendId: 999n }],
    ['dividend_weights_agreement_id_fkey', insertWeight, { agreementId: 999n }],
    ['dividend_weights_publisher_id_fkey', insertWeight, { publisherId: 999n }],
    ['dividend_ledger_lines_dividend_id_fkey', insertLine, { dividendId: 999n }],
    ['dividend_ledger_lines_agreement_id_fkey', insertLine, { agreementId: 999n }],
    ['dividend_ledger_lines_publisher_id_fkey', insertLine, { publisherId: 999n }],
    ['dividend_ledger_lines_reverses_dividend_id_fkey', insertLine, { reversesId: 999n }],
  ])('%s', async (constraint, insert, named) => {
    await expect(tried(client => insert(client, named))).rejects.toMatchObject(refusedBy(constraint))
  })

  test('and of many rows, the one', async () => {
    const many = `insert into dividend_weights select $1, a, 72, 1 from unnest(array[71, 81, 999]::bigint[]) a`
    await expect(tried(client => client.query(many, [dividend]))).rejects.toMatchObject(
      refusedBy('dividend_weights_agreement_id_fkey'),
    )
  })

  test('what names rows is written, also twice the same ones', async () => {
    await tried(async client => {
      await client.query('insert into dividend_weights select $1, a, 72, 1 from unnest(array[71, 81]::bigint[]) a', [
        dividend,
      ])
      await insertLine(client, {})
      await insertLine(client, { agreementId: 81n, reversesId: dividend })
    })
  })
})

describe('a row that is named stays', () => {
  test.each<[string, typeof insertWeight, string]>([
    ['dividend_weights_dividend_id_fkey', insertWeight, 'delete from dividends where medium_id = 70'],
    ['dividend_weights_agreement_id_fkey', insertWeight, 'delete from agreements where id = 71'],
    ['dividend_weights_publisher_id_fkey', insertWeight, 'delete from publishers where id = 72'],
    ['dividend_ledger_lines_dividend_id_fkey', insertLine, 'delete from dividends where medium_id = 70'],
    ['dividend_ledger_lines_agreement_id_fkey', insertLine, 'delete from agreements where id = 71'],
    ['dividend_ledger_lines_publisher_id_fkey', insertLine, 'delete from publishers where id = 72'],
  ])('%s', async (constraint, insert, deletion) => {
    await expect(
      tried(async client => {
        await insert(client, {})
        await client.query(deletion)
      }),
    ).rejects.toMatchObject(refusedBy(constraint))
  })

  test('one that a reversal names', async () => {
    const deletion = tried(async client => {
      const { rows } = await client.query<{ id: bigint }>(
        `insert into dividends (operation_id, medium_id, month, kind, method,
          extra_revenue_yen, extra_revenue_month) select operation_id, 70, 203001, 'reset', 'payment', 0, 203001 from dividends
        where id = $1 returning id`,
        [dividend],
      )
      await insertLine(client, { dividendId: BigInt(rows[0]!.id), reversesId: dividend })
      await client.query('delete from dividends where id = $1', [dividend])
    })
    await expect(deletion).rejects.toMatchObject(refusedBy('dividend_ledger_lines_reverses_dividend_id_fkey'))
  })

  test('under its id, and it is not truncated', async () => {
    await expect(
      tried(client => client.query('update dividends set id = default where id = $1', [dividend])),
    ).rejects.toMatchObject({ code: '23503' })
    for (const table of ['agreements', 'publishers']) {
      await expect(tried(client => client.query(`truncate ${table} cascade`))).rejects.toMatchObject({
        constraint: 'closed_month',
      })
    }
  })

  test('for a transaction with an older snapshot, which would not see who names it', async () => {
    const deletion = asAdmin(async client => {
      await client.query('begin isolation level repeatable read')
      await client.query('delete from agreements where id = 82')
    })
    await expect(deletion).rejects.toMatchObject({ code: '23503', constraint: 'agreements_named' })
  })
})

describe('at the same time', () => {
  /** Resolves when the client waits for a lock of another transaction. */
  async function waits(watcher: pg.Client, { processID }: pg.Client & { processID?: number }): Promise<void> {
    for (;;) {
      const { rows } = await watcher.query('select cardinality(pg_blocking_pids($1)) as locks', [processID])
      if (rows[0].locks > 0) return
    }
  }

  test('who deletes waits for who writes, and is refused', async () => {
    await asAdmin(writer =>
      asAdmin(remover =>
        asAdmin(async watcher => {
          await writer.query('begin')
          await insertWeight(writer, { agreementId: 83n })
          const removal = remover.query('delete from agreements where id = 83')
          removal.catch(() => {})
          await waits(watcher, remover)
          await writer.query('commit')
          await expect(removal).rejects.toMatchObject(refusedBy('dividend_weights_agreement_id_fkey'))
        }),
      ),
    )
  })

  test('who writes waits for who deletes, and is refused', async () => {
    await asAdmin(writer =>
      asAdmin(remover =>
        asAdmin(async watcher => {
          await remover.query('begin')
          await remover.query('delete from agreements where id = 81')
          const writing = insertWeight(writer, { agreementId: 81n })
          writing.catch(() => {})
          await waits(watcher, writer)
          await remover.query('commit')
          await expect(writing).rejects.toMatchObject(refusedBy('dividend_weights_agreement_id_fkey'))
        }),
      ),
    )
  })
})
