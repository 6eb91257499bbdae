import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { openDatabase, SYSTEM } from '@pc/platform/postgres/database.ts'
import { MIGRATIONS_FOLDER, migrate } from '@pc/platform/postgres/migrate.ts'
import { LOGIN_ROLE, OWNER_ROLE, restrictDatabase, withClient } from '@pc/platform/postgres/roles.ts'
import { sharedTestCluster } from '@pc/testing/postgres-cluster.ts'
import { expect, test } from 'vitest'
import { earningAgreements } from './load-month.ts'
import { readAgreementsOf } from './month-agreements.ts'

const RELATIONS = '0460_relations.sql'

test('rules across organisations that an earlier version took are named by the upgrade and refused by the month', async () => {
  const cluster = await sharedTestCluster()
  const name = `foreign_rule_${process.pid}`
  const files = fs.mkdtempSync(path.join(os.tmpdir(), 'migrations-'))
  for (const file of fs.readdirSync(MIGRATIONS_FOLDER).filter(file => file < RELATIONS))
    fs.copyFileSync(path.join(MIGRATIONS_FOLDER, file), path.join(files, file))
  await withClient(cluster.url('postgres', 'postgres'), async client => {
    await client.query(`create database ${name} owner ${OWNER_ROLE}`)
    await restrictDatabase(client, name)
  })
  const database = openDatabase({ url: cluster.url(name, LOGIN_ROLE), maxConnections: 2 })
  try {
    const ownerUrl = cluster.url(name, OWNER_ROLE)
    await migrate({ ownerUrl, folder: files })
    await withClient(cluster.url(name, 'postgres'), client =>
      client.query(`insert into media (id, name) values (1, '媒体');
        insert into organizations (id, name) overriding system value values (1, 'A'), (2, 'B');
        insert into publishers (id, organization_id, name) overriding system value values (1, 1, 'P1'), (2, 2, 'P2');
        insert into agreements (id, medium_id, organization_id, name, code) overriding system value
          values (1, 1, 1, '契約A', 'A'), (2, 1, 2, '契約B', 'B');
        insert into agreement_publisher_rules (agreement_id, publisher_id, medium_id, payment_rate)
          values (1, 1, 1, 5000), (1, 2, 1, 5000)`),
    )
    const warnings: string[] = []
    await migrate({ ownerUrl, onWarning: message => warnings.push(message) })
    expect(warnings).toEqual([
      expect.stringMatching(/^rule \d+ joins agreement 1 \(契約A\) and publisher 2 \(P2\), which are not of one org/),
    ])
    const key = { mediumId: 1n, month: 202611 as YearMonth }
    const books = await database.inScope(SYSTEM, tx => readAgreementsOf(tx, key))
    expect(earningAgreements(key, books)).toMatchObject({
      ok: false,
      refusals: [{ code: 'payment/publisher-of-other-organization', data: { publisherId: '2', agreementId: '1' } }],
    })
  } finally {
    await database.close()
    fs.rmSync(files, { recursive: true })
    await withClient(cluster.url('postgres', 'postgres'), client =>
      client.query(`drop database if exists ${name} with (force)`),
    )
  }
})
