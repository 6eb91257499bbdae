import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { STANDARD_TAX_TABLE } from '@pc/domain/money/consumption-tax.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { verifyMediumChain } from '@pc/features/payments/month-close/server/finalized-chain.ts'
import { monthViolations } from '@pc/features/payments/month-close/server/month-invariants.ts'
import { systemClock } from '@pc/platform/clock.ts'
import { readConfig } from '@pc/platform/config.ts'
import { openLog } from '@pc/platform/log.ts'
import { openDatabase, SYSTEM } from '@pc/platform/postgres/database.ts'
import { dumpSchema } from '@pc/platform/postgres/dump-schema.ts'
import { migrate } from '@pc/platform/postgres/migrate.ts'
import { LOGIN_ROLE, OWNER_ROLE, restrictDatabase, withClient } from '@pc/platform/postgres/roles.ts'
import { openStats } from '@pc/platform/stats/open-stats.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { settlementBooks, writeAgreements, writeOwnAds, writeSettings } from '@pc/testing/books/settlement-books.ts'
import { sharedTestCluster } from '@pc/testing/postgres-cluster.ts'
import { openTestDuckDb } from '@pc/testing/statistics/stats-engines.ts'
import {
  broughtAfter,
  columnsOf,
  fillEarlierTables,
  MIGRATIONS,
  MOVED_COLUMNS,
  migrationsUntil,
  quotedNames,
  rowsAsJson,
} from '@pc/testing/system/earlier-version-fixture.ts'
import { makeTwoOrganizations } from '@pc/testing/system/two-organizations.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { execute, parse } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wireDependencies } from './wire-dependencies.ts'

/**
 * A database of an earlier version, filled, is brought to today's: every migration after that version runs over real
 * rows. Afterwards the schema is the one of a new installation, every row says what it said, and the system reads it.
 * The rows are today's, as far as the tables and columns of the earlier version can hold them.
 */

/** The last migration that the earlier version had; UPGRADE_FROM=every tries each of them. */
const EARLIER =
  process.env.UPGRADE_FROM === 'every'
    ? MIGRATIONS.slice(MIGRATIONS.indexOf('0020_identity.sql'), -1)
    : ['0045_article_search.sql', '0101_late_figures.sql', MIGRATIONS.at(-2)!]
const MONTHS = [202601, 202602, 202603] as YearMonth[]

interface Source {
  readonly name: string
  readonly test: TestDatabase
  readonly email: string
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'upgrade-'))
const sources: Source[] = []
let today = ''

beforeAll(async () => {
  sources.push(await twoOrganizations(), await closedMonth())
  today = await dumpSchema(sources[0]!.test.adminUrl)
})
afterAll(async () => {
  for (const source of sources) await source.test.drop()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function twoOrganizations() {
  const test = await testDatabase()
  const { users } = await makeTwoOrganizations(test.database)
  return { name: 'two organisations with rows of every kind', test, email: users.admin.email }
}

/** Two finalised months and the draft of a third, of two media. */
async function closedMonth() {
  const test = await testDatabase()
  const stats = await openTestDuckDb()
  const books = await settlementBooks(test.database, stats.store)
  const agreementsOf = (mediumId: bigint) =>
    [1n, 2n, 3n].map(n => {
      const rule = { ...sampleRule(mediumId * 100n + n, 120_000n * n), mediumId }
      return { ...sampleAgreement(mediumId * 10n + n, [rule], { organizationId: n }), mediumId }
    })
  const inputs = [1n, 2n].flatMap(mediumId =>
    MONTHS.map(month => ({ ...sampleMonth(month, { agreements: agreementsOf(mediumId) }), mediumId })),
  )
  const email = 'admin@example.jp'
  await test.database.inScope(SYSTEM, async tx => {
    await writeSettings(tx, { settings: inputs[0]!.settings, taxTable: STANDARD_TAX_TABLE })
    await writeAgreements(tx, [inputs[0]!, inputs[MONTHS.length]!])
    await tx
      .insertInto('roles')
      .values({ name: 'admin' })
      .onConflict(conflict => conflict.doNothing())
      .execute()
    const { uid } = await tx
      .insertInto('users')
      .values({ email, emailVerifiedAt: new Date() })
      .returning('uid')
      .executeTakeFirstOrThrow()
    await tx.insertInto('userRoles').values({ uid, roleName: 'admin' }).execute()
  })
  await writeOwnAds(stats.store, inputs, 1n)
  for (const { mediumId, month } of inputs) {
    const key = { mediumId, month }
    expect(await computeMonth(books.payments, key)).toMatchObject({ ok: true })
    if (month === MONTHS.at(-1)) continue
    expect(await closeMonth(books, key, books.userUid)).toMatchObject({ ok: true })
  }
  await stats.drop()
  return { name: 'a filled book with finalised months', test, email }
}

/** What an earlier version let happen: a draft of the month before the books of medium 2 begin. */
async function draftBeforeBooks(adminUrl: string): Promise<void> {
  const early = 202512
  await withClient(adminUrl, async client => {
    await client.query('set session_replication_role = replica')
    for (const table of ['month_states', 'monthly_agreement_snapshots', 'monthly_payments']) {
      const columns = (await columnsOf(client)).get(table)!
      // Open as a draft is: nothing of it was closed.
      const open: Record<string, string> = {
        ...{ month: `${early}`, state: `'computed'`, has_been_finalized: 'false', payment_status: `'computed'` },
        ...{ finalized_at: 'null', finalized_by_uid: 'null', paid_at: 'null', hash: 'null', head_hash: 'null' },
        ...{
          finalized_at_month: 'null',
          id: 'id + 1000',
          monthly_agreement_snapshot_id: 'monthly_agreement_snapshot_id + 1000',
        },
        ...{ previous_hash: 'null', revenue_generated_at_month: `${early}` },
      }
      await client.query(
        `insert into public."${table}" (${quotedNames(columns)}) overriding system value
         select ${columns.map(column => open[column] ?? `"${column}"`).join(', ')} from public."${table}"
         where medium_id = 2 and month = ${MONTHS[0]}`,
      )
    }
  })
}

test('a new installation closes months by two persons', async () => {
  const cluster = await sharedTestCluster()
  const name = `new_${process.pid}`
  const maintenanceUrl = cluster.url('postgres', 'postgres')
  await withClient(maintenanceUrl, async client => {
    await client.query(`create database ${name} owner ${OWNER_ROLE}`)
    await restrictDatabase(client, name)
  })
  try {
    await migrate({ ownerUrl: cluster.url(name, OWNER_ROLE) })
    const { rows } = await withClient(cluster.url(name, 'postgres'), client =>
      client.query('select needs_two_persons from payment_settings'),
    )
    expect(rows).toEqual([{ needs_two_persons: true }])
  } finally {
    await withClient(maintenanceUrl, client => client.query(`drop database ${name} with (force)`))
  }
})

test.each(EARLIER)(
  'a filled database of the version whose last migration was %s',
  async last => {
    const cluster = await sharedTestCluster()
    const maintenanceUrl = cluster.url('postgres', 'postgres')
    const files = migrationsUntil(last, path.join(folder, last))
    for (const [index, source] of sources.entries()) {
      const name = `upgrade_${process.pid}_${index}`
      await withClient(maintenanceUrl, async client => {
        await client.query(`create database ${name} owner ${OWNER_ROLE}`)
        await restrictDatabase(client, name)
      })
      try {
        const [ownerUrl, adminUrl] = [cluster.url(name, OWNER_ROLE), cluster.url(name, 'postgres')]
        await migrate({ ownerUrl, folder: files })
        const { filled, refused } = await fillEarlierTables(adminUrl, source.test.adminUrl, last)
        expect(refused, source.name).toEqual([])
        expect(filled.length, source.name).toBeGreaterThan(10)
        const rowsBefore = await withClient(adminUrl, async client => {
          const columns = await columnsOf(client)
          const found = new Map<string, { columns: readonly string[]; rows: string }>()
          for (const table of filled)
            found.set(table, {
              columns: columns.get(table)!,
              rows: await rowsAsJson(client, table, columns.get(table)!),
            })
          return found
        })

        const hasBooks = source === sources[1] && last >= '0063'
        if (hasBooks && last < '0170') await draftBeforeBooks(adminUrl)

        expect(await migrate({ ownerUrl })).toEqual(MIGRATIONS.slice(MIGRATIONS.indexOf(last) + 1))

        expect(await dumpSchema(adminUrl)).toBe(today)
        await withClient(adminUrl, async client => {
          const rule = await client.query('select is_required from second_factor_rule')
          // Who could sign in without a second factor still can.
          if (last < '0500') expect(rule.rows).toEqual([{ is_required: false }])
          const columns = await columnsOf(client)
          for (const [table, { columns: had, rows }] of rowsBefore) {
            const moved = MOVED_COLUMNS.find(({ from }) => from === table)
            const lost = had.filter(column => !columns.get(table)?.includes(column))
            const unexplained = lost.filter(column => !moved?.columns.includes(column))
            expect(unexplained, `${table} lost columns`).toEqual([])
            const kept = had.filter(column => !lost.includes(column))
            const only = (row: Record<string, unknown>) => Object.fromEntries(kept.map(column => [column, row[column]]))
            const then = (JSON.parse(rows) as Record<string, unknown>[]).map(only)
            const now = JSON.parse(await rowsAsJson(client, table, kept)) as Record<string, unknown>[]
            expect(sorted(now), table).toEqual(sorted([...then, ...broughtAfter(last, table)]))
            if (lost.length > 0 && moved && moved.to !== '') {
              const [found] = JSON.parse(await rowsAsJson(client, moved.to, Object.keys(moved.names)))
              const wanted = Object.entries(moved.names).map(([name, old]) => [name, moved.values[old]])
              expect(found, moved.to).toEqual(Object.fromEntries(wanted))
            }
          }
        })
        if (hasBooks) await checkBooks(cluster.url(name, LOGIN_ROLE))
        await readEverything(cluster.url(name, LOGIN_ROLE), source.email, path.join(folder, name))
      } finally {
        await withClient(maintenanceUrl, client => client.query(`drop database if exists ${name} with (force)`))
      }
    }
  },
  120_000,
)

function sorted(rows: readonly object[]): readonly object[] {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** Months that an earlier version closed hold by what was frozen with them, and their chain is whole. */
async function checkBooks(url: string): Promise<void> {
  const database = openDatabase({ url, maxConnections: 2 })
  const stats = await openTestDuckDb()
  try {
    const months = await database.inScope(SYSTEM, tx =>
      tx.selectFrom('monthStates').select(['mediumId', 'month']).orderBy('mediumId').orderBy('month').execute(),
    )
    expect(months).toEqual([1n, 2n].flatMap(mediumId => MONTHS.map(month => ({ mediumId, month }))))
    for (const { mediumId, month } of months) {
      const key = { mediumId, month: month as YearMonth }
      // The figures of the statistics are not there; what was kept of them is.
      const found = (await monthViolations({ database, stats: stats.store }, key)).filter(
        each => each.invariant !== 'I22',
      )
      expect(found, `medium ${mediumId}, ${month}`).toEqual([])
    }
    for (const mediumId of [1n, 2n])
      expect(await database.inScope(SYSTEM, tx => verifyMediumChain(tx, mediumId))).toEqual([])
  } finally {
    await stats.drop()
    await database.close()
  }
}

const READ_BY_EVERYBODY = `{
  publishers(limit: 100, offset: 0) { total nodes { id name } }
  agreements(limit: 100, offset: 0) { total nodes { id name } }
  feeds(limit: 100, offset: 0) { total nodes { id name } }
  mediumArticles(limit: 100, offset: 0) { total nodes { articleId title } }
  bankAccounts(limit: 100, offset: 0) { total nodes { id } }
  announcements(limit: 100, offset: 0) { total nodes { id title } }
  monthlyPayments(limit: 100, offset: 0) { total nodes { id } }
  monthlyPublisherPayments(limit: 100, offset: 0) { total nodes { id } }
  statements(limit: 100, offset: 0) { total nodes { id } }
  boards(limit: 100, offset: 0) { nodes { id } }
  monthCloseBoard(month: "2026-01") { mediumId state }
}`

/** The new version starts over the upgraded database and reads what there is. */
async function readEverything(url: string, email: string, dataDir: string): Promise<void> {
  const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, STATS_MEMORY_LIMIT: '128MB', STATS_THREADS: '1' })
  const database = openDatabase({ url, maxConnections: 4 })
  const stats = await openStats(config, url, systemClock)
  const close = async () => {
    await stats.close()
    await database.close()
  }
  const stores = { database, stats, databaseUrl: url, close }
  const dependencies = await wireDependencies({ config, log: openLog('silent'), clock: systemClock, stores })
  try {
    const { body } = await dependencies.identity.mintToken(email)
    const viewer = 'token' in body ? await dependencies.authenticate(`Bearer ${body.token}`) : null
    const contextValue = { viewer, requestId: '', signal: new AbortController().signal, permits: new Map() }
    const answer = await execute({
      schema: dependencies.insightSchema,
      document: parse(READ_BY_EVERYBODY),
      contextValue,
    })
    expect(answer.errors).toBeUndefined()
    expect(answer.data?.publishers).toMatchObject({ nodes: expect.arrayContaining([expect.anything()]) })
  } finally {
    await dependencies.close()
  }
}
