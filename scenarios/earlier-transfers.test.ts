import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { correctReturnFee } from '@pc/features/payments/core/server/return-fees.ts'
import { exportJournal } from '@pc/features/payments/transfers/server/export-journal.ts'
import { readExportedFile } from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import { openDatabase, SYSTEM } from '@pc/platform/postgres/database.ts'
import { migrate } from '@pc/platform/postgres/migrate.ts'
import { LOGIN_ROLE, OWNER_ROLE, restrictDatabase, withClient } from '@pc/platform/postgres/roles.ts'
import { sharedTestCluster } from '@pc/testing/postgres-cluster.ts'
import { fillEarlierTables, MIGRATIONS, migrationsUntil } from '@pc/testing/system/earlier-version-fixture.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accepted, startTransferFixture } from './transfer-fixture.ts'

const fixture = await startTransferFixture()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bank-files-'))
const made: string[] = []
const cluster = await sharedTestCluster()
const maintenanceUrl = cluster.url('postgres', 'postgres')
beforeAll(fixture.sendBatch)
afterAll(async () => {
  await withClient(maintenanceUrl, async client => {
    for (const name of made) await client.query(`drop database if exists ${name} with (force)`)
  })
  fs.rmSync(folder, { recursive: true, force: true })
  await fixture.close()
})

/** The books as the version before a migration left them, with additional rows, migrated to today's version. */
async function upgradedFrom(before: string, prepare?: (client: pg.Client) => Promise<unknown>) {
  const earlier = MIGRATIONS[MIGRATIONS.indexOf(before) - 1]!
  const name = `transfers_${made.length}_${process.pid}`
  made.push(name)
  await withClient(maintenanceUrl, async client => {
    await client.query(`create database ${name} owner ${OWNER_ROLE}`)
    await restrictDatabase(client, name)
  })
  const ownerUrl = cluster.url(name, OWNER_ROLE)
  await migrate({ ownerUrl, folder: migrationsUntil(earlier, path.join(folder, name)) })
  const { filled, refused } = await fillEarlierTables(cluster.url(name, 'postgres'), fixture.tested.adminUrl, earlier)
  expect(refused).toEqual([])
  expect(filled).toEqual(expect.arrayContaining(['transfer_batches', 'transfers', 'transfer_payments']))
  if (prepare) {
    await withClient(cluster.url(name, 'postgres'), async client => {
      await client.query('set session_replication_role = replica')
      await prepare(client)
    })
  }
  await migrate({ ownerUrl })
  return openDatabase({ url: cluster.url(name, LOGIN_ROLE), maxConnections: 2 })
}

test('a batch that an earlier version exported is written again, byte for byte', async () => {
  const database = await upgradedFrom('0720_transfer_records.sql')
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

test('two returns that an earlier version kept as one are two, with their days and no yen more or less', async () => {
  const at = "timestamptz '2026-08-10T00:00:00Z'"
  const database = await upgradedFrom('0740_returns.sql', async client => {
    // 4: recalled on July 21, paid by the bank all the same, and back on August 5; its fee is that of both.
    // 5: recalled with a fee, and then paid. 6: two records back on two days; the fee was booked on the last one.
    await client.query(`
      update transfers set state = 'returned', paid_on = '2026-07-31', returned_on = '2026-08-05', settled_by = 'hand',
        reason = '口座なし' where id = 4;
      update transfers set state = 'paid', paid_on = '2026-07-31', settled_by = 'hand', reason = '銀行の照会' where id = 5;
      update transfers set state = 'returned', paid_on = '2026-07-31', returned_on = '2026-08-06', record_count = 2,
        settled_by = 'hand', reason = '口座なし' where id = 6;
      insert into transfer_records (transfer_id, number, batch_id, amount_yen, fee_yen, state, paid_on, returned_on, reason, settled_by, updated_at)
      select id, n, batch_id, case n when 1 then 10000 else transfer_amount_yen - 10000 end, fee_yen * (2 - n), 'returned',
        '2026-07-31', date '2026-08-07' - n, '口座なし', 'hand', ${at} from transfers, generate_series(1, 2) n where id = 6;
      insert into transfer_return_fees (transfer_id, charged_on, fee_yen, updated_at) values
        (4, '2026-07-21', 1760, ${at}), (5, '2026-07-21', 880, ${at}), (6, '2026-08-06', 660, ${at})`)
  })
  try {
    const read = () =>
      database.inScope(SYSTEM, async tx =>
        (
          await tx
            .selectFrom('transferReturnFees')
            .selectAll()
            .orderBy('transferId')
            .orderBy('recordNumber')
            .orderBy('returnNumber')
            .execute()
        ).map(row => [row.transferId, row.recordNumber, row.returnNumber, row.chargedOn, row.feeYen]),
      )
    expect(await read()).toEqual([
      [4n, 0, 1, '2026-07-21', 1_760n],
      [4n, 0, 2, '2026-08-05', 0n],
      [5n, 0, 1, '2026-07-21', 880n],
      [6n, 1, 1, '2026-08-06', 660n],
      [6n, 2, 1, '2026-08-05', 0n],
    ])
    const bankFees = (month: number) =>
      database.inScope(SYSTEM, async tx => {
        const request = { month: month as never, scope: 'settlement', format: 'generic', encoding: 'utf8' } as const
        const rows = Buffer.from(accepted(await exportJournal(tx, request)).bytes)
          .toString()
          .split('\r\n')
        return rows
          .filter(row => row.includes('組戻手数料') && row.includes('貸方'))
          .map(row => [row.split(',')[1], row.split(',')[5]])
      })
    expect([await bankFees(202607), await bankFees(202608)]).toEqual([
      [
        ['2026-07-21', '1760'],
        ['2026-07-21', '880'],
      ],
      [['2026-08-06', '660']],
    ])
    // A person who knows better can divide the sum; from now on each return is a row of its own.
    const correct = (feeYen: bigint, returnNumber: number) =>
      database.inScope(SYSTEM, tx =>
        correctReturnFee(tx, fixture.clock, { transferId: 4n, number: 0 }, feeYen, returnNumber),
      )
    accepted(await correct(880n, 1))
    accepted(await correct(880n, 2))
    await database.inScope(SYSTEM, tx =>
      sql`update transfers set state = 'returned', returned_on = '2026-08-12', updated_at = now() where id = 5`.execute(
        tx,
      ),
    )
    expect((await read()).slice(0, 4)).toEqual([
      [4n, 0, 1, '2026-07-21', 880n],
      [4n, 0, 2, '2026-08-05', 880n],
      [5n, 0, 1, '2026-07-21', 880n],
      [5n, 0, 2, '2026-08-12', 0n],
    ])
  } finally {
    await database.close()
  }
})
