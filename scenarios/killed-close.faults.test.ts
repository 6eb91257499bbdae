import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { STANDARD_TAX_TABLE } from '@pc/domain/money/consumption-tax.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { randomMonth, randomSource } from '@pc/domain/payment/random-month.ts'
import { monthViolations } from '@pc/features/payments/server/check-month.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { openDuckDb } from '@pc/platform/stats/duckdb-store.ts'
import {
  bookDividends,
  settlementBooks,
  writeAgreements,
  writeOwnAds,
  writeSettings,
} from '@pc/testing/settlement-books.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, expect, test } from 'vitest'

/** A close is killed at a random moment, again and again: the month is not closed, or closed whole, and then as ever. */
const KILLS = Number(process.env.KILLS ?? 100)
const tested = await testDatabase({ maxConnections: 3 })
const { database } = tested
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'close-'))
const file = path.join(folder, 'stats.duckdb')
afterAll(async () => {
  await tested.drop()
  fs.rmSync(folder, { recursive: true, force: true })
})

const MONTH = 202601 as YearMonth
const COPIES = KILLS + 1

/** The same month on many media; the first one is closed without a kill and says what all of them must become. */
function copies() {
  const sample = randomMonth(4711, { agreements: 40, rulesPerAgreement: 4, poolJobs: 0, adjustments: 0 }, true)
  return Array.from({ length: COPIES }, (_, index) => {
    const mediumId = BigInt(index + 1)
    const shift = mediumId * 10_000n
    return {
      ...sample,
      mediumId,
      month: MONTH,
      poolJobs: [],
      adjustments: [],
      settings: { payoutThresholdYen: 5_000n, businessDayShift: 'previous' as const },
      taxTable: STANDARD_TAX_TABLE,
      agreements: sample.agreements.map(agreement => ({
        ...agreement,
        mediumId,
        agreementId: agreement.agreementId + shift,
        accounts: agreement.accounts.map(each => ({ ...each, bankAccountId: each.bankAccountId + shift * 100n })),
        rules: agreement.rules.map(rule => ({
          ...rule,
          mediumId,
          ruleId: rule.ruleId + shift * 10n,
          publisherId: rule.publisherId + shift,
        })),
      })),
    }
  })
}

/** Runs the close; kills it after so many milliseconds from its beginning, when they are given. */
function run(
  mediumId: bigint,
  uid: string,
  killAfterMs?: number,
): Promise<{ readonly ended: boolean; readonly ms: number }> {
  const script = path.resolve(import.meta.dirname, '../testing/close-until-killed.ts')
  const child = spawn(process.execPath, ['--no-warnings', script, tested.url, file, `${mediumId}`, `${MONTH}`, uid], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let begun = 0
  let ended = false
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  child.stdout.on('data', (chunk: Buffer) => {
    const text = chunk.toString()
    if (text.includes('begin')) {
      begun = performance.now()
      if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    }
    if (text.includes('end')) ended = true
  })
  return new Promise((resolve, reject) => {
    child.on('exit', (code, signal) => {
      if (code !== 0 && signal !== 'SIGKILL') reject(new Error(errors))
      else resolve({ ended, ms: performance.now() - begun })
    })
  })
}

/** Everything that the close of a medium wrote, without ids of its own and times. */
async function content(mediumId: bigint): Promise<string> {
  return database.inScope(SYSTEM, async tx => {
    const shift = mediumId * 10_000n
    const rows = await tx
      .selectFrom('monthlyPayments as p')
      .innerJoin('monthlyPublisherPayments as q', 'q.monthlyPaymentId', 'p.id')
      .select(['p.agreementId', 'p.paymentStatus', 'p.paymentYen', 'p.paymentTaxYen', 'p.cumulativeRevenueYen'])
      .select([
        'p.dueOn',
        'p.hasBeenFinalized',
        'q.publisherId',
        'q.revenueYen',
        'q.paymentYen as partYen',
        'q.referenceTaxYen',
      ])
      .where('p.mediumId', '=', mediumId)
      .orderBy('p.agreementId')
      .orderBy('q.publisherId')
      .execute()
    const state = await tx
      .selectFrom('monthStates')
      .select(['state', 'headHash'])
      .where('mediumId', '=', mediumId)
      .executeTakeFirst()
    const moved = rows.map(row => ({
      ...row,
      agreementId: row.agreementId - shift,
      publisherId: row.publisherId - shift,
    }))
    return JSON.stringify([state, moved], (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
  })
}

test(`${KILLS} kills`, async () => {
  const inputs = copies()
  const store = await openDuckDb({ file, memoryLimit: '256MB', threads: 1 })
  const books = await settlementBooks(database, store)
  await database.inScope(SYSTEM, async tx => {
    await writeSettings(tx, inputs[0]!)
    await writeAgreements(tx, inputs)
  })
  await writeOwnAds(store, inputs, 1n)
  for (const input of inputs) await bookDividends(books, input)
  await store.close()

  const whole = await run(1n, books.userUid)
  const expected = await content(1n)
  expect(expected).toContain('finalized')
  const random = randomSource(20_261_120)
  const outcomes = { untouched: 0, draft: 0, closed: 0 }
  for (const { mediumId } of inputs.slice(1)) {
    await run(mediumId, books.userUid, random.below(Math.ceil(whole.ms * 1.3)))
    const state = await database.inScope(SYSTEM, tx =>
      tx.selectFrom('monthStates').select('state').where('mediumId', '=', mediumId).executeTakeFirst(),
    )
    const finals = await database.inScope(SYSTEM, tx =>
      tx.selectFrom('monthlyPayments').select('hasBeenFinalized').distinct().where('mediumId', '=', mediumId).execute(),
    )
    const isClosed = state?.state === 'finalized'
    // Not closed: no row is final. Closed: every row is.
    expect(finals.every(row => row.hasBeenFinalized === isClosed)).toBe(true)
    if (isClosed) outcomes.closed += 1
    else if (state?.state === 'computed') outcomes.draft += 1
    else outcomes.untouched += 1
    if (!isClosed) await run(mediumId, books.userUid)
    expect(await content(mediumId)).toBe(expected)
  }
  const reopened = await openDuckDb({ file, memoryLimit: '256MB', threads: 1 })
  for (const { mediumId } of inputs) {
    const found = await monthViolations({ database, stats: reopened }, { mediumId, month: MONTH })
    expect(found).toEqual([])
  }
  await reopened.close()
  process.stdout.write(
    `killed ${KILLS} times: ${JSON.stringify(outcomes)}; an undisturbed close takes ${Math.round(whole.ms)} ms\n`,
  )
})
