import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { canonicalText } from '@pc/domain/payment/canonical-text.ts'
import { sampleAdjustment, sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { readStoredMonth } from '@pc/features/payments/core/server/stored-month.ts'
import { previewReport } from '@pc/features/payments/month-close/server/preview-report.ts'
import { openDatabase, SYSTEM } from '@pc/platform/postgres/database.ts'
import { migrate } from '@pc/platform/postgres/migrate.ts'
import { LOGIN_ROLE, OWNER_ROLE, restrictDatabase, withClient } from '@pc/platform/postgres/roles.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import {
  bookManualOperations,
  holdRulesFrom,
  settlementBooks,
  writeAgreements,
  writeOwnAds,
} from '@pc/testing/books/settlement-books.ts'
import { sharedTestCluster } from '@pc/testing/postgres-cluster.ts'
import { openTestDuckDb } from '@pc/testing/statistics/stats-engines.ts'
import { fillEarlierTables, MIGRATIONS, migrationsUntil } from '@pc/testing/system/earlier-version-fixture.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * A month closed before returns had lines of their own, in a database of that version that is migrated to today's. The
 * operator's command verifies it, and computing it again gives the same bytes.
 */
const ROOT = path.resolve(import.meta.dirname, '..')
const EARLIER = MIGRATIONS[MIGRATIONS.indexOf('0560_returns_per_rate.sql') - 1]!
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'earlier-close-'))
const name = `earlier_close_${process.pid}`
const cluster = await sharedTestCluster()
const maintenanceUrl = cluster.url('postgres', 'postgres')
const adminUrl = cluster.url(name, 'postgres')
const [tested, stats] = [await testDatabase(), await openTestDuckDb()]
const input = sampleMonth(202609, {
  agreements: [sampleAgreement(1n, [sampleRule(11n, 100_000n)]), sampleAgreement(2n, [sampleRule(21n, 10_000n)])],
  adjustments: [sampleAdjustment(2n, 21n, -40_000n)],
})
const key = { mediumId: input.mediumId, month: input.month }
let closed = ''

beforeAll(async () => {
  const books = await settlementBooks(tested.database, stats.store)
  await tested.database.inScope(SYSTEM, async tx => {
    await writeAgreements(tx, [input])
    await holdRulesFrom(tx, 202610)
  })
  await writeOwnAds(stats.store, [input], 1n)
  await bookManualOperations(books, input)
  expect(await computeMonth(books.payments, key)).toMatchObject({ ok: true })
  expect(await closeMonth(books, key, books.userUid)).toMatchObject({ ok: true })
  const stored = await tested.database.inScope(SYSTEM, tx => readStoredMonth(tx, key))
  expect(stored!.input.settings).not.toHaveProperty('rules')
  closed = canonicalText(stored!.settled)

  await withClient(maintenanceUrl, async client => {
    await client.query(`create database ${name} owner ${OWNER_ROLE}`)
    await restrictDatabase(client, name)
  })
  const ownerUrl = cluster.url(name, OWNER_ROLE)
  await migrate({ ownerUrl, folder: migrationsUntil(EARLIER, path.join(folder, 'migrations')) })
  expect((await fillEarlierTables(adminUrl, tested.adminUrl, EARLIER)).refused).toEqual([])
  await migrate({ ownerUrl })
})
afterAll(async () => {
  await withClient(maintenanceUrl, client => client.query(`drop database if exists ${name} with (force)`))
  await stats.drop()
  await tested.drop()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** Runs the command as `npm run settle` does, with the settings of an installation that has its own database. */
function settle(...words: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, ['tools/run.mjs', 'apps/server/commands/settle.ts', ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, DATABASE_URL: cluster.url(name, LOGIN_ROLE), DATA_DIR: path.join(folder, 'data') },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += String(chunk)))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => resolve({ code, output }))
  })
}

test('is verified by the command, and computed again to the same bytes by the rules of its time', async () => {
  expect(await settle('verify')).toEqual({
    code: 0,
    output: '確定した月 1 件のハッシュチェーンを再計算しました：一致しました\n',
  })
  const database = openDatabase({ url: cluster.url(name, LOGIN_ROLE), maxConnections: 2 })
  try {
    const report = await previewReport({ database, stats: stats.store }, key.month)
    expect(report).toContain('  保存された計算と同じです。')
    const stored = await database.inScope(SYSTEM, tx => readStoredMonth(tx, key))
    expect(canonicalText(stored!.settled)).toBe(closed)
    const rules = await database.inScope(SYSTEM, tx =>
      tx.selectFrom('settlementRules').selectAll().where('version', '=', 'returns_per_rate').execute(),
    )
    expect(rules).toMatchObject([{ validFromMonth: 202610 }])
  } finally {
    await database.close()
  }
}, 240_000)

test('a yen that somebody moved there is found by the command, which fails', async () => {
  await withClient(adminUrl, async client => {
    await client.query('set session_replication_role = replica')
    await client.query(
      'update monthly_payments set payment_tax_yen = payment_tax_yen + 1, payment_including_tax_yen = payment_including_tax_yen + 1 where agreement_id = 1',
    )
  })
  const { code, output } = await settle('verify')
  expect(code).toBe(1)
  expect(output).toContain('一致しません')
}, 240_000)
