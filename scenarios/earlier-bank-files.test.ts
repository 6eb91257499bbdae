import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readExportedFile } from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import { openDatabase, SYSTEM } from '@pc/platform/postgres/database.ts'
import { migrate } from '@pc/platform/postgres/migrate.ts'
import { LOGIN_ROLE, OWNER_ROLE, restrictDatabase, withClient } from '@pc/platform/postgres/roles.ts'
import { sharedTestCluster } from '@pc/testing/postgres-cluster.ts'
import { fill, MIGRATIONS, migrationsUntil } from '@pc/testing/system/earlier-version-fixture.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accepted, startTransferFixture } from './transfer-fixture.ts'

/** The version before transfers had several records. */
const EARLIER = MIGRATIONS[MIGRATIONS.indexOf('0720_transfer_records.sql') - 1]!

const fixture = await startTransferFixture()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bank-files-'))
const name = `bank_files_${process.pid}`
const cluster = await sharedTestCluster()
const maintenanceUrl = cluster.url('postgres', 'postgres')
beforeAll(fixture.sendBatch)
afterAll(async () => {
  await withClient(maintenanceUrl, client => client.query(`drop database if exists ${name} with (force)`))
  fs.rmSync(folder, { recursive: true, force: true })
  await fixture.close()
})

test('a batch that an earlier version exported is written again, byte for byte', async () => {
  await withClient(maintenanceUrl, async client => {
    await client.query(`create database ${name} owner ${OWNER_ROLE}`)
    await restrictDatabase(client, name)
  })
  const ownerUrl = cluster.url(name, OWNER_ROLE)
  await migrate({ ownerUrl, folder: migrationsUntil(EARLIER, folder) })
  const { filled, refused } = await fill(cluster.url(name, 'postgres'), fixture.tested.adminUrl, EARLIER)
  expect(refused).toEqual([])
  expect(filled).toEqual(expect.arrayContaining(['transfer_batches', 'transfers', 'transfer_payments']))
  await migrate({ ownerUrl })
  const database = openDatabase({ url: cluster.url(name, LOGIN_ROLE), maxConnections: 2 })
  try {
    const file = accepted(await database.inScope(SYSTEM, tx => readExportedFile(tx, 2n)))
    const golden = new URL('golden/general-transfer.txt', import.meta.url)
    expect(Buffer.from(file.bytes).equals(fs.readFileSync(golden))).toBe(true)
    const kept = await database.inScope(SYSTEM, async tx => ({
      batches: await tx.selectFrom('transferBatches').select(['transferLimitYen']).distinct().execute(),
      transfers: await tx.selectFrom('transfers').select('recordCount').distinct().execute(),
      records: await tx.selectFrom('transferRecords').select('number').execute(),
    }))
    expect(kept).toEqual({
      batches: [{ transferLimitYen: 9_999_999_999n }],
      transfers: [{ recordCount: 1 }],
      records: [],
    })
  } finally {
    await database.close()
  }
})
