import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAdjustment, sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import type { MonthInput } from '@pc/domain/settlement/settlement-input.ts'
import { IMPORT_LOCK_KEY } from '@pc/features/ingest/server/import-lock.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { importHolidays } from '@pc/features/payments/core/server/import-holidays.ts'
import { createManualOperation } from '@pc/features/payments/manual-operations/server/create-manual-operation.ts'
import { runManualOperation } from '@pc/features/payments/manual-operations/server/run-manual-operation.ts'
import { auditMonth } from '@pc/features/payments/month-close/server/audit-month.ts'
import { bookLateFigures } from '@pc/features/payments/month-close/server/late-figures.ts'
import { hideSecrets } from '@pc/features/practice/server/hide-secrets.ts'
import { newPracticePassword } from '@pc/features/practice/server/practice-accounts.ts'
import { comparePractice, readPracticeEntries, readPracticeMedia } from '@pc/features/practice/server/practice-store.ts'
import { reopenMonth } from '@pc/features/practice/server/reopen-month.ts'
import { markFolder, workOnCopy } from '@pc/features/practice/server/work-on-copy.ts'
import { statementFile } from '@pc/features/statements/server/statement-files.ts'
import { findStatement } from '@pc/features/statements/server/statement-store.ts'
import { folderAnchors } from '@pc/platform/audit/anchor-store.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { verifyAuditChain } from '@pc/platform/audit/verify-audit-chain.ts'
import { readArchive } from '@pc/platform/backup/archive-file.ts'
import { backUp } from '@pc/platform/backup/back-up.ts'
import { fixedClock, systemClock } from '@pc/platform/clock.ts'
import { readConfig } from '@pc/platform/config.ts'
import { openLog } from '@pc/platform/log.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { urlOfRunningPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import { DATABASE_NAME, postgresFolder } from '@pc/platform/postgres/open-postgres.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { bookManualOperations, writeAgreements, writeOwnAds } from '@pc/testing/books/settlement-books.ts'
import { makeTwoOrganizations, type TwoOrganizations } from '@pc/testing/system/two-organizations.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepDemoQuestions } from './demo/questions.ts'
import { payDemoTransfers, prepareDemoBank } from './demo/transfers.ts'
import { makePractice } from './make-practice.ts'
import { moneyDependencies } from './money-dependencies.ts'
import { type RunningServer, startServer } from './start-server.ts'

/** Two systems start here, one after the other. */
const TIMEOUT_MS = 240_000
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-practice-test-'))
const LIVE = path.join(folder, 'data')
const PRACTICE = path.join(LIVE, 'practice')
const MEDIUM = 71n
const BEFORE = 202605 as YearMonth
const MONTH = 202606 as YearMonth
/** From where somebody answered a statement. */
const HOME = '203.0.113.77'
/** What people write about each other, in texts of any kind. */
const PRIVATE = '担当は山田花子さん 090-1234-5678'
/** Of this medium figures came after the real close. */
const LATE_MEDIUM = 72n
const LATE_YEN = 9_000n
const clock = fixedClock('2026-08-10T12:00:00+09:00')
const NO_QUEUE = { enqueue: async () => null, enqueueAll: async () => {}, work: async () => {}, close: async () => {} }

const started: RunningServer[] = []
async function start(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
  const config = readConfig({
    ...{ DATA_DIR: dataDir, PUBLISHER_CENTER_DEMO: 'off', STATS_MEMORY_LIMIT: '128MB', STATS_THREADS: '1' },
    ...{ PORT: '0', INSIGHT_API_PORT: '0', IAM_API_PORT: '0', ...env },
  })
  const server = await startServer({ config, services: ['web', 'api'], log: openLog('silent') })
  started.push(server)
  return server
}
const inBooks = <T>({ dependencies }: RunningServer, work: (tx: Transaction) => Promise<T>) =>
  dependencies.database.inScope(SYSTEM, work)
const moneyOf = ({ dependencies }: RunningServer) =>
  moneyDependencies({
    ...dependencies,
    clock,
    jobs: NO_QUEUE,
    webOrigin: 'http://x',
    isPractice: dependencies.practice !== undefined,
  })

/** Three payees that share a pool and earn by own ads; one of them is corrected. */
function monthOf(month: number): MonthInput {
  const agreements = [1n, 2n, 3n].map(number =>
    sampleAgreement(
      71_000n + number,
      [
        sampleRule(71_100n + number, 40_000n + number * 7n, {
          mediumId: MEDIUM,
          share: { isTargetForSspAllocation: true, sspRateUnits: 6_000, ownAdsRateUnits: 5_000 },
        }),
      ],
      { mediumId: MEDIUM, organizationId: rows.a.organizationId, partnerName: `組織${number}` },
    ),
  )
  const weights = agreements.map(({ agreementId, rules }, index) => ({
    ...{ agreementId, publisherId: rules[0]!.publisherId, weight: BigInt(index * 3 + 1) },
  }))
  return {
    ...sampleMonth(month, { agreements }),
    mediumId: MEDIUM,
    poolJobs: [{ jobId: 1n, kind: 'ssp', method: 'payment', poolYen: 100_001n, weights }],
    adjustments: [
      sampleAdjustment(71_002n, 71_102n, -1_234n, { reason: 'invalid_traffic', originMonth: BEFORE }),
    ].slice(month === MONTH ? 0 : 1),
  }
}

/** A payee alone, who earns by own ads. */
function lateMonth(month: number, ownAdsYen: bigint): MonthInput {
  const rule = sampleRule(72_101n, ownAdsYen, { mediumId: LATE_MEDIUM, share: { ownAdsRateUnits: 5_000 } })
  const agreement = { mediumId: LATE_MEDIUM, organizationId: rows.a.organizationId, partnerName: '組織4' }
  return { ...sampleMonth(month, { agreements: [sampleAgreement(72_001n, [rule], agreement)] }), mediumId: LATE_MEDIUM }
}

async function close(server: RunningServer, month: YearMonth, uid: string, mediumId = MEDIUM): Promise<void> {
  const money = moneyOf(server)
  const key = { mediumId, month }
  expect(await computeMonth(money.payments, key)).toMatchObject({ ok: true })
  const commit = await money.prepareOperation({ month, mediumIds: [mediumId] })
  expect(await inBooks(server, tx => commit(tx, uid))).toMatchObject({ ok: true })
}

let live: RunningServer
let rows: TwoOrganizations
beforeAll(async () => {
  live = await start(LIVE)
  rows = await makeTwoOrganizations(live.dependencies.database)
  const [editor, admin] = [rows.users['insight:editor'].uid, rows.users['insight:admin'].uid]
  await inBooks(live, async tx => {
    await prepareDemoBank(tx)
    await importHolidays(tx, { name: 'sample', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('test'))
    await writeAgreements(tx, [monthOf(BEFORE), lateMonth(MONTH, 0n)])
  })
  for (const [index, month] of [BEFORE, MONTH].entries()) {
    if (month === MONTH) await correctionIsBookedTwice(editor)
    await writeOwnAds(live.dependencies.stats, [monthOf(month)], BigInt(900 + index))
    await bookManualOperations({ manualOperations: moneyOf(live).manualOperations, userUid: editor }, monthOf(month))
    await close(live, month, admin)
  }
  await figuresComeLate(admin)
  await payDemoTransfers(live.dependencies.database, clock, admin)
  await keepDemoQuestions(live.dependencies.database, clock)
  await inBooks(live, async tx => {
    const of = await tx
      .selectFrom('statements')
      .select(['id', 'hash'])
      .where('month', '=', BEFORE)
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('statementEvents')
      .values({
        ...{
          statementId: of.id,
          statementHash: of.hash,
          event: 'object',
          at: new Date(clock.now()),
          text: `確認中です。${PRIVATE}`,
        },
        ...{ actorUid: admin, actorEmail: rows.users['insight:admin'].email, sourceAddress: HOME },
      })
      .execute()
  })
  await writePrivately()
  fs.mkdirSync(path.join(LIVE, 'outbox'), { recursive: true })
  fs.writeFileSync(path.join(LIVE, 'outbox/a.eml'), 'To: taro@example.jp')
}, TIMEOUT_MS)

/** A correction of the month before is turned back by a reset of the month, which books it again. */
async function correctionIsBookedTwice(userUid: string): Promise<void> {
  const month = monthOf(BEFORE)
  const agreements = month.agreements.map(each => ({
    ...each,
    rules: each.rules.map(rule => ({ ...rule, ownAdsMicroYen: rule.ownAdsMicroYen + 10_000_000_000n })),
  }))
  await writeOwnAds(live.dependencies.stats, [{ ...month, agreements }], 899n)
  await inBooks(live, tx =>
    sql`insert into ingest_batches (batch_no, dataset, batch_id, content_sha256, state, first_day, last_day, applied_at, fact_rows)
      overriding system value values (899, 'summary-daily', 'before', 'x', 'applied', '2026-05-01', '2026-05-31', now(), 31)`.execute(
      tx,
    ),
  )
  const { payments, manualOperations } = moneyOf(live)
  const entry = await bookLateFigures(payments, { mediumId: MEDIUM, month: BEFORE })
  await runManualOperation(manualOperations, entry!)
  const reset = await inBooks(live, tx =>
    createManualOperation(tx, manualOperations, {
      userUid,
      input: {
        ...{ mediumId: MEDIUM, month: MONTH, kind: 'reset' as const, method: 'payment' as const },
        ...{ extraRevenueYen: null, extraRevenueMonth: '', notes: '' },
      },
      rawRows: [],
    }),
  )
  if (!reset.ok) throw new Error(JSON.stringify(reset.refusals))
  await runManualOperation(manualOperations, reset.value)
  const [again] = await inBooks(live, tx =>
    tx.selectFrom('lateCorrections').select('dividendId').where('dividendId', '>', reset.value).execute(),
  )
  await runManualOperation(manualOperations, again!.dividendId)
}

/** After the close of the month a delivery brings more: booked as a correction of the next month. */
async function figuresComeLate(admin: string): Promise<void> {
  await writeOwnAds(live.dependencies.stats, [lateMonth(MONTH, 30_000n)], 910n)
  await close(live, MONTH, admin, LATE_MEDIUM)
  await writeOwnAds(live.dependencies.stats, [lateMonth(MONTH, 2n * LATE_YEN)], 911n)
  await inBooks(live, tx =>
    sql`insert into ingest_batches (batch_no, dataset, batch_id, content_sha256, state, first_day, last_day, applied_at, fact_rows)
      overriding system value values (911, 'summary-daily', 'late', 'x', 'applied', '2026-06-01', '2026-06-30', now(), 30)`.execute(
      tx,
    ),
  )
  const money = moneyOf(live)
  const entry = await bookLateFigures(money.payments, { mediumId: LATE_MEDIUM, month: MONTH })
  expect(entry).toBeDefined()
  await runManualOperation(money.manualOperations, entry!)
}

/** A person who may write anything anywhere does: past the walls of the books, as nobody of the running system could. */
async function writePrivately(): Promise<void> {
  await withClient(adminUrl(LIVE), async client => {
    await client.query('set session_replication_role = replica')
    const admin = rows.users['insight:admin'].uid
    await client.query(
      `insert into legal_holds (organization_id, reason, placed_by_uid, placed_by_email, placed_at)
        select id, 'h', $1, 'x@example.jp', now() from organizations limit 1`,
      [admin],
    )
    await client.query(
      `insert into annotations (owner_uid, is_by_staff, starts_on, ends_on, text, visibility)
        values ($1, true, '2026-06-01', '2026-06-01', 'n', 'own')`,
      [admin],
    )
    await client.query("insert into ingest_quarantined_rows values (911, 1, 'c', 'r', 's')")
    await client.query(`with changed as (
        insert into account_changes (uid, kind, email, requested_by_uid, source_address, expires_at)
        select uid, 'second-factor', email, uid, '', now() from users order by uid limit 1 returning id, email)
      insert into account_undos (change_id, email, password_hash, authenticators, recovery_codes)
      select id, email, 'hash', '[]', '[]' from changed`)
    const written: string[] = []
    for (const [table, column] of [
      ...(['agreements', 'publishers', 'feeds'] as const).map(name => [name, 'notes'] as const),
      ...([
        ['question_messages', 'text'],
        ['bank_accounts', 'rejection_reason'],
      ] as const),
      ...([
        ['legal_holds', 'reason'],
        ['annotations', 'text'],
        ['ingest_quarantined_rows', 'source_text'],
      ] as const),
    ]) {
      const { rowCount } = await client.query(`update ${table} set ${column} = $1`, [PRIVATE])
      if (rowCount) written.push(table)
    }
    expect(written.length).toBeGreaterThanOrEqual(6)
  })
}
afterAll(async () => {
  for (const each of started) await each.stop()
  fs.rmSync(folder, { recursive: true, force: true })
}, TIMEOUT_MS)

const adminUrl = (dataDir: string) => urlOfRunningPostgres(postgresFolder(dataDir), DATABASE_NAME, 'postgres') ?? ''

/** Every row of every table as text; nothing leaves its table unseen. */
async function contentOf(dataDir: string): Promise<Map<string, readonly string[]>> {
  return withClient(adminUrl(dataDir), async client => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    )
    const content = new Map<string, readonly string[]>()
    for (const { name } of tables) {
      const found = await client.query<{ t: string }>(`select t::text as t from ${name} t order by 1`)
      content.set(
        name,
        found.rows.map(row => row.t),
      )
    }
    return content
  })
}

test('a month is practised on a copy: the same close to the yen, while the real system is not touched', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { body } = await live.dependencies.identity.mintToken(rows.users['insight:admin'].email)
  const liveToken = `Bearer ${(body as { token: string }).token}`
  expect(await live.dependencies.authenticate(liveToken)).toMatchObject({ uid: rows.users['insight:admin'].uid })
  const before = await contentOf(LIVE)
  await makePractice({ source: LIVE, into: PRACTICE, clock: systemClock })
  // Settings that would reach others: none of them counts here.
  const practice = await start(PRACTICE, { SMTP_URL: 'smtp://127.0.0.1:9', GA4_MEASUREMENT_ID: 'G-1' })
  expect(practice.dependencies.practice).toMatchObject({ month: MONTH })
  expect(await practice.dependencies.authenticate(liveToken).catch(() => null)).toBeNull()
  await everySecretIsGone(before)
  await whatLeavesStaysHere(practice)

  // The month before is as it was; the newest one was never closed.
  const money = moneyOf(practice)
  const audit = (month: YearMonth) =>
    auditMonth({ ...money.payments, jobs: NO_QUEUE }, { mediumId: MEDIUM, month }, 'demand')
  expect(await audit(BEFORE)).toEqual([])
  const closed = await inBooks(practice, tx => tx.selectFrom('monthClosings').select('month').execute())
  expect(closed).toEqual([{ month: BEFORE }])
  // The correction by what came late is gone: it belongs to the month itself now.
  // That of the month before stays, once.
  const corrections = await inBooks(practice, tx =>
    tx
      .selectFrom('lateCorrections as c')
      .innerJoin('dividends as d', 'd.id', 'c.dividendId')
      .select(['c.mediumId', 'c.originMonth', 'd.reversedByDividendId'])
      .execute(),
  )
  expect(corrections).toEqual([{ mediumId: MEDIUM, originMonth: BEFORE, reversedByDividendId: null }])
  const { database } = practice.dependencies
  const media = () => database.inScope(SYSTEM, tx => readPracticeMedia(tx, MONTH))
  const untouched = { state: 'open', ownYen: 0n, rows: 0, differentRows: 0 }
  expect(await media()).toMatchObject([untouched, untouched])

  // What was entered is entered again, by other people.
  const users = await inBooks(practice, tx =>
    tx.selectFrom('users').select(['uid', 'email']).where('enabled', '=', true).execute(),
  )
  const uidOf = (name: string) => users.find(user => user.email === `${name}@practice.example`)!.uid
  expect(users).toHaveLength(5)
  const entries = await inBooks(practice, readPracticeEntries)
  expect(entries.map(({ kind, amountYen }) => [kind, amountYen])).toEqual([
    ['ssp', 100_001n],
    ['csv', -1_234n],
  ])
  for (const entry of entries) {
    const created = await inBooks(practice, tx =>
      createManualOperation(tx, money.manualOperations, {
        userUid: uidOf('editor'),
        input: { ...entry, month: MONTH, extraRevenueYen: entry.amountYen, extraRevenueMonth: '2026-06' },
        rawRows: entry.rowsCsv
          .split('\r\n')
          .slice(1)
          .map(line => {
            const [agreementId = '', publisherId = '', amount = '', weight = '', reason = '', originMonth = ''] =
              line.split(',')
            return { agreementId, publisherId, amount, weight, reason, originMonth }
          }),
      }),
    )
    if (!created.ok) throw new Error(JSON.stringify(created.refusals))
    await runManualOperation(money.manualOperations, created.value)
  }
  await close(practice, MONTH, uidOf('admin-1'))
  expect(await audit(MONTH)).toEqual([])
  const [medium] = await media()
  expect(medium).toMatchObject({ differentRows: 0, rows: 3 })
  expect(medium?.ownYen).toBe(medium?.realYen)
  expect(medium?.ownYen).toBeGreaterThan(100_000n)
  const compared = (onlyDifferent: boolean) =>
    database.inScope(SYSTEM, tx => comparePractice(tx, MONTH, { onlyDifferent, limit: 10, offset: 0 }))
  expect(await compared(true)).toEqual({ nodes: [], total: 0 })
  expect((await compared(false)).nodes.every(row => row.isSame && row.realPaymentYen > 0n)).toBe(true)

  // Where figures came late the same close pays more, and the result says why: exactly the share of what came.
  await close(practice, MONTH, uidOf('admin-1'), LATE_MEDIUM)
  const late = await compared(true)
  expect(late.nodes).toMatchObject([{ isSame: false, hasLateFigures: true, agreementId: 72_001n }])
  expect(late.nodes[0]!.ownRevenueYen - late.nodes[0]!.realRevenueYen).toBe(LATE_YEN)
  expect(
    await auditMonth({ ...money.payments, jobs: NO_QUEUE }, { mediumId: LATE_MEDIUM, month: MONTH }, 'demand'),
  ).toEqual([])

  await papersSaySo(practice, uidOf('admin-2'))
  // What was sent is in the books of the reopened month as it would be in the real ones.
  const sent = await inBooks(practice, tx =>
    tx
      .selectFrom('transferPayments as x')
      .innerJoin('monthlyPayments as p', 'p.id', 'x.monthlyPaymentId')
      .innerJoin('transfers as t', 't.id', 'x.transferId')
      .select(['p.mediumId', 'p.paymentStatus', 't.state'])
      .where('p.month', '=', MONTH)
      .where('x.isLive', '=', true)
      .execute(),
  )
  expect(sent.length).toBeGreaterThan(0)
  for (const mediumId of [MEDIUM, LATE_MEDIUM])
    expect(await auditMonth({ ...money.payments, jobs: NO_QUEUE }, { mediumId, month: MONTH }, 'demand')).toEqual([])
  expect(await contentOf(LIVE)).toEqual(before)
})

/** No address of a person, no account, no key of the real system is anywhere in the copy. */
async function everySecretIsGone(before: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const accounts = await inBooks(live, tx => tx.selectFrom('bankAccounts').select(['number', 'holder']).execute())
  const sources = await inBooks(live, tx => tx.selectFrom('transferSources').selectAll().execute())
  const people = await inBooks(live, tx => tx.selectFrom('users').select('email').execute())
  const secrets = new Set([
    HOME,
    PRIVATE,
    ...people.map(({ email }) => email),
    ...accounts.map(({ number }) => number),
    // Accounts of the two organisations are held by the marks that are in all of their texts.
    ...accounts.map(({ holder }) => holder).filter(holder => !['ALPHA', 'CANARY-B'].includes(holder)),
    ...sources.flatMap(({ accountNumber, clientCode }) => [accountNumber, clientCode]),
  ])
  const holding = (content: ReadonlyMap<string, readonly string[]>) =>
    [...content].flatMap(([table, found]) =>
      [...secrets].filter(secret => found.some(row => row.includes(secret))).map(secret => `${table}: ${secret}`),
    )
  expect(holding(before).length).toBeGreaterThan(10)
  const copied = await contentOf(PRACTICE)
  expect(holding(copied)).toEqual([])
  const holders = await withClient(adminUrl(PRACTICE), async client => {
    const { rows: found } = await client.query<{ holder: string }>(
      `select holder from bank_accounts union select holder from transfers
       union select content::jsonb #>> '{account,holder}' from statements`,
    )
    return found.map(row => row.holder)
  })
  expect(holders.length).toBeGreaterThan(3)
  expect(holders.filter(holder => !/^ﾚﾝｼﾕｳ\d{6}$/.test(holder))).toEqual([])
  for (const table of [
    'idp_accounts',
    'idp_authenticators',
    'account_undos',
    'account_changes',
    'webhooks',
    'publisher_api_keys',
    'audit_log',
    'invitations',
  ])
    expect(copied.get(`public.${table}`), table).toEqual([])
  expect(copied.get('pgboss.job') ?? []).toEqual([])
  expect(fs.existsSync(path.join(PRACTICE, 'outbox'))).toBe(false)
}

async function whatLeavesStaysHere({ dependencies }: RunningServer): Promise<void> {
  expect(dependencies.config).toMatchObject({ smtpUrl: undefined, objectsUrl: undefined, ga4MeasurementId: undefined })
  const names = dependencies.jobHandlers.map(({ kind }) => kind.name)
  expect(names).toContain('statement-notice')
  for (const name of ['webhook', 'webhooks', 'feed-check', 'report-mails', 'report-mail-letter'])
    expect(names).not.toContain(name)
  const mail = dependencies.jobHandlers.find(({ kind }) => kind.name === 'mail')!
  const running = { id: 'x', signal: new AbortController().signal, retries: 0 }
  await mail.run({ to: 'admin-1@practice.example', subject: '練習', text: '本文' }, running)
  expect(fs.readdirSync(path.join(PRACTICE, 'outbox'))).toHaveLength(1)
  expect(await verifyAuditChain(dependencies.database, folderAnchors(PRACTICE))).toMatchObject({ problems: [] })
}

/** Statements are marked and named; a bank file names a requester that no bank knows. */
async function papersSaySo(practice: RunningServer, admin: string): Promise<void> {
  const { database } = practice.dependencies
  const made = await inBooks(practice, tx =>
    tx.selectFrom('statements').select('id').where('month', '=', MONTH).orderBy('id').executeTakeFirstOrThrow(),
  )
  const row = await database.inScope(SYSTEM, tx => findStatement(tx, made.id, { scope: SYSTEM } as never))
  if (!row) throw new Error('no statement')
  const [marked, plain] = [await statementFile(row, 'pdf', true), await statementFile(row, 'pdf', false)]
  expect(marked.fileName).toMatch(/^【練習】支払通知書_/)
  expect(Buffer.from(marked.content).equals(Buffer.from(plain.content))).toBe(false)

  const source = { clientCode: '1234567890', clientName: 'ｶ)ﾎﾝﾓﾉ' }
  await inBooks(practice, tx => tx.updateTable('transferSources').set(source).execute())
  await payDemoTransfers(database, clock, admin)
  const batches = await inBooks(practice, tx =>
    tx.selectFrom('transferBatches').select(['clientCode', 'clientName']).where('kind', '=', 'bank_file').execute(),
  )
  expect(batches.length).toBeGreaterThan(1)
  expect(new Set(batches.map(batch => `${batch.clientCode} ${batch.clientName}`))).toEqual(
    new Set(['0000000000 ﾚﾝｼﾕｳ']),
  )
}

test('the real system refuses: its months are not reopened, its people not renamed, nobody gets a password', {
  timeout: TIMEOUT_MS,
}, async () => {
  const before = await contentOf(LIVE)
  await expect(workOnCopy(LIVE, reopenMonth)).rejects.toThrow('is no practice copy')
  // Nor by way of a marked folder that only leads to it.
  const leading = path.join(folder, 'leading')
  fs.mkdirSync(leading)
  markFolder(leading)
  fs.symlinkSync(postgresFolder(LIVE), postgresFolder(leading))
  await expect(workOnCopy(leading, async () => {})).rejects.toThrow(`lies in ${postgresFolder(LIVE)}`)
  // Even the administrator of its server, and even with the mark in its folder.
  const asAdministrator = (work: typeof reopenMonth) =>
    withClient(adminUrl(LIVE), client =>
      work({ query: async (text, values) => client.query(text, values ? [...values] : []) as never }),
    )
  await expect(asAdministrator(reopenMonth)).rejects.toThrow('is no practice system')
  await expect(asAdministrator(hideSecrets)).rejects.toThrow('is no practice system')
  await expect(newPracticePassword(live.dependencies.database, 'x')).rejects.toThrow('no practice system')
  // What runs the system can neither say that it is a practice nor take the walls down.
  const attempt = (text: string) =>
    withClient(adminUrl(LIVE).replace('postgres@', 'pc_login@'), client =>
      client.query(`set role pc_app; set app.scope = 'all'; ${text}`),
    )
  await expect(attempt('insert into practice_system values (true, 202606, now())')).rejects.toMatchObject({
    code: '42501',
  })
  await expect(attempt('alter table month_states disable trigger user')).rejects.toMatchObject({ code: '42501' })
  await expect(attempt('delete from month_closings')).rejects.toMatchObject({ code: '23514' })
  // A backup of the real system does not carry the practice in it.
  await backUp(LIVE, path.join(folder, 'a.pcbackup'), { key: undefined, importLockKey: IMPORT_LOCK_KEY })
  const kept = new Set<string>()
  for await (const entry of readArchive(path.join(folder, 'a.pcbackup'), undefined)) {
    if (entry.kind === 'file') for await (const _chunk of entry.content);
    kept.add(entry.path.split('/')[0]!)
  }
  expect([...kept]).toContain('postgres')
  expect([...kept]).not.toContain('practice')
  await expect(makePractice({ source: PRACTICE, into: path.join(folder, 'x'), clock })).rejects.toThrow('itself')
  expect(await contentOf(LIVE)).toEqual(before)
})
