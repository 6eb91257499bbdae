import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { expect, test } from 'vitest'
import { readPreparers } from './month-preparers.ts'

/** Compared with each other, the log and the agreements of this month would take half a minute, and ten times both the hour. */
const AGREEMENTS = 3_000
const LIMIT_MS = 10_000

test('who prepared a large month is found by one pass over the log, even before the planner knows the tables', async () => {
  const tested = await testDatabase()
  try {
    await withClient(tested.adminUrl, async client => {
      await client.query('set session_replication_role = replica')
      await client.query(`insert into agreements (id, medium_id, organization_id, name, code) overriding system value
        select n, 1 + n % 2, n, 'a' || n, 'C-' || n from generate_series(1, ${AGREEMENTS}) n`)
      await client.query(`insert into agreement_publisher_rules (id, agreement_id, publisher_id, medium_id, payment_rate)
        overriding system value select n, 1 + n % ${AGREEMENTS}, n, 1 + (1 + n % ${AGREEMENTS}) % 2, 4000
        from generate_series(1, ${5 * AGREEMENTS}) n`)
      // Persons 1 and 2 changed agreements of media 1 and 2, persons 3 and 4 rules, persons 5 and 6 opening balances.
      const log = (resource: string, person: string, rows: number, before: string, after: string) =>
        client.query(`insert into audit_log (seq, at, actor_uid, resource_name, row_id, action, before, after, request_id,
            source_address, hash, previous_hash) overriding system value
          select (select coalesce(max(seq), 0) from audit_log) + n, now() - interval '1 day',
            ('00000000-0000-0000-0000-00000000000' || ${person})::uuid, '${resource}', n::text, 'update', ${before}, ${after},
            'r', '127.0.0.1', '\\x00', '\\x00' from generate_series(1, ${rows}) n`)
      const terms = `jsonb_build_object('terms', jsonb_build_array(jsonb_build_object('validFromMonth', 202607)))`
      await log('insight:agreement.', '(1 + n % 2)', AGREEMENTS, `'{"terms":[]}'::jsonb`, terms)
      const rule = `'{"validFromMonth": 202607}'::jsonb`
      await log('insight:agreement_publisher_rule.', '(3 + (1 + n) % 2)', 5 * AGREEMENTS, 'null', rule)
      const opening = `jsonb_build_object('agreementId', n, 'bookedMonth', 202607)`
      await log('insight:opening_balance.', '(5 + n % 2)', AGREEMENTS, 'null', opening)
    })
    const of = async (mediumId: bigint) => {
      const key = { mediumId, month: 202607 as YearMonth }
      const options = { statementTimeoutMs: LIMIT_MS }
      const { preparerUids: people } = await tested.database.inScope(
        SYSTEM,
        tx => readPreparers(tx, key, [], null),
        options,
      )
      return people.map(uid => Number(uid.at(-1))).toSorted()
    }
    expect(await of(1n)).toEqual([1, 3, 5])
    expect(await of(2n)).toEqual([2, 4, 6])
  } finally {
    await tested.drop()
  }
})
