import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { migrate } from '@pc/platform/postgres/migrate.ts'
import { OWNER_ROLE, restrictDatabase, withClient } from '@pc/platform/postgres/roles.ts'
import { sharedTestCluster } from '@pc/testing/postgres-cluster.ts'
import { MIGRATIONS, migrationsUntil } from '@pc/testing/system/earlier-version-fixture.ts'
import { expect, test } from 'vitest'

test('the upgrade confirms the addresses by which an external issuer’s accounts were bound, and no others', async () => {
  const cluster = await sharedTestCluster()
  const name = `confirmed_${process.pid}`
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'confirmed-'))
  await withClient(cluster.url('postgres', 'postgres'), async client => {
    await client.query(`create database ${name} owner ${OWNER_ROLE}`)
    await restrictDatabase(client, name)
  })
  try {
    const ownerUrl = cluster.url(name, OWNER_ROLE)
    const before = MIGRATIONS[MIGRATIONS.indexOf('0500_second_factor_rule.sql') - 1] ?? ''
    await migrate({ ownerUrl, folder: migrationsUntil(before, folder) })
    const emails = await withClient(cluster.url(name, 'postgres'), async client => {
      await client.query(`insert into users (email, oidc_issuer, oidc_subject, email_verified_at) values
        ('bound@example.jp', 'https://issuer.example', '1', null), ('invited@example.jp', null, null, null),
        ('confirmed@example.jp', null, null, '2026-01-01'), ('moved@example.jp', 'https://issuer.example', '2', null)`)
      await client.query(`insert into account_changes (uid, kind, email, new_email, requested_by_uid, source_address,
        expires_at) select uid, 'email', 'old@example.jp', email, uid, '192.0.2.1', now() from users where email like 'moved%'`)
      await migrate({ ownerUrl })
      const found = await client.query('select email from users where email_verified_at is not null order by email')
      return found.rows.map(({ email }: { email: string }) => email)
    })
    expect(emails).toEqual(['bound@example.jp', 'confirmed@example.jp'])
  } finally {
    await withClient(cluster.url('postgres', 'postgres'), client =>
      client.query(`drop database if exists ${name} with (force)`),
    )
    fs.rmSync(folder, { recursive: true, force: true })
  }
})
