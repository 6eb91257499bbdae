import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { migrate } from '@pc/platform/postgres/migrate.ts'
import { OWNER_ROLE, restrictDatabase, withClient } from '@pc/platform/postgres/roles.ts'
import { sharedTestCluster } from '@pc/testing/postgres-cluster.ts'
import { MIGRATIONS, migrationsUntil } from '@pc/testing/system/earlier-version-fixture.ts'
import { expect, test } from 'vitest'

/** The statements of an organisation, with who is there and what became of them. */
const STATEMENTS = [
  { id: 1, why: 'waits, nobody there', user: null, state: 'issued' },
  { id: 2, why: 'waits, somebody there', user: ['insight:publisher_admin', true], state: 'issued' },
  { id: 3, why: 'waits, the only user is disabled', user: ['insight:publisher_admin', false], state: 'issued' },
  {
    id: 4,
    why: 'waits, the only user is not told of statements',
    user: ['insight:publisher_editor', true],
    state: 'issued',
  },
  { id: 5, why: 'confirmed, nobody there', user: null, state: 'confirmed' },
] as const

test('the upgrade forgets the notices of waiting statements whose payee had nobody, and no others', async () => {
  const cluster = await sharedTestCluster()
  const name = `told_${process.pid}`
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'told-'))
  await withClient(cluster.url('postgres', 'postgres'), async client => {
    await client.query(`create database ${name} owner ${OWNER_ROLE}`)
    await restrictDatabase(client, name)
  })
  try {
    const ownerUrl = cluster.url(name, OWNER_ROLE)
    const before = MIGRATIONS[MIGRATIONS.indexOf('0732_told_statements.sql') - 1] ?? ''
    await migrate({ ownerUrl, folder: migrationsUntil(before, folder) })
    const left = await withClient(cluster.url(name, 'postgres'), async client => {
      // What a statement refers to besides is of no matter here.
      await client.query('set session_replication_role = replica')
      await client.query(
        "insert into roles (name) values ('insight:publisher_admin'), ('insight:publisher_editor') on conflict do nothing",
      )
      for (const { id, user, state } of STATEMENTS) {
        await client.query('insert into organizations (id, name) overriding system value values ($1, $2)', [
          id,
          `組織${id}`,
        ])
        if (user) {
          const { rows } = await client.query<{ uid: string }>(
            'insert into users (email, organization_id, enabled) values ($1, $2, $3) returning uid',
            [`user${id}@example.jp`, id, user[1]],
          )
          await client.query('insert into user_roles (uid, role_name) values ($1, $2)', [rows[0]!.uid, user[0]])
        }
        await client.query(
          `insert into statements (id, monthly_payment_id, medium_id, agreement_id, organization_id, month, number,
            template_version, content, hash, issued_on, issued_at, deemed_on, due_on, payee_name, total_without_tax_yen,
            total_yen, transfer_amount_yen, state, confirmation_method, state_changed_at)
          overriding system value values (${id}, ${id}, 1, ${id}, ${id}, 202606, '202606-00000${id}', 3, '{}', repeat('a', 64),
            '2026-07-05', now(), '2026-07-19', '2026-07-31', '組織', 1, 1, 1, '${state}',
            ${state === 'confirmed' ? "'explicit'" : 'null'}, now())`,
        )
        await client.query('insert into statement_notices (statement_id, notified_at) values ($1, now())', [id])
      }
      await migrate({ ownerUrl })
      const found = await client.query<{ id: number }>(
        'select statement_id::int as id from statement_notices order by 1',
      )
      return found.rows.map(row => row.id)
    })
    expect(left).toEqual([2, 5])
  } finally {
    await withClient(cluster.url('postgres', 'postgres'), client =>
      client.query(`drop database if exists ${name} with (force)`),
    )
    fs.rmSync(folder, { recursive: true, force: true })
  }
})
