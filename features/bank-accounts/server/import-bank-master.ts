import fs from 'node:fs'
import { createRequire } from 'node:module'
import { toHalfWidthKana } from '@pc/domain/bank/half-width-kana.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** One bank or branch as the package has it. Kana are large only (ツ for ッ), long marks are `－`. */
interface MasterEntry {
  readonly code: string
  readonly name: string
  readonly kana: string
  readonly hira: string
  readonly roma: string
}
export interface MasterBank extends MasterEntry {
  readonly branches: Readonly<Record<string, MasterEntry>>
}
export interface BankMaster {
  readonly version: string
  readonly banks: readonly MasterBank[]
}

export interface BankImport {
  readonly banks: number
  readonly branches: number
  /** Of both kinds: no longer in the master. They stay for the accounts that name them, and cannot be chosen. */
  readonly gone: number
}

const ROWS_PER_STATEMENT = 5_000

export function bankMasterVersion(): string {
  const file = createRequire(import.meta.url).resolve('zengin-code/package.json')
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version
}

/** The complete Japanese master of the npm package `zengin-code`; large, so it is loaded when it is needed. */
export async function packagedBankMaster(): Promise<BankMaster> {
  const { default: banks } = await import('zengin-code')
  return { version: bankMasterVersion(), banks: Object.values(banks) }
}

/** Whether the master of this version has been imported. */
export async function hasBankMaster(tx: Transaction, version: string): Promise<boolean> {
  const row = await tx.selectFrom('bankMasterImports').select('version').executeTakeFirst()
  return row?.version === version
}

/**
 * Brings banks and branches to the state of the master: new ones are added, others changed, vanished ones marked, and
 * marked ones that have come back are taken back. Ids never change. The transaction is the system's.
 */
export async function importBankMaster(tx: Transaction, master: BankMaster): Promise<BankImport> {
  if (master.banks.length === 0) throw new Error('the bank master is empty: nothing was imported')
  await sql`lock table bank_master_imports in exclusive mode`.execute(tx)
  for (const part of slices(master.banks.map(readable))) {
    await tx
      .insertInto('banks')
      .values(part)
      .onConflict(conflict => conflict.column('code').doUpdateSet(taken))
      .execute()
  }
  const ids = new Map((await tx.selectFrom('banks').select(['code', 'id']).execute()).map(row => [row.code, row.id]))
  const branches = master.banks.flatMap(bank =>
    Object.values(bank.branches).map(branch => ({ bankId: ids.get(bank.code) ?? 0n, ...readable(branch) })),
  )
  for (const part of slices(branches)) {
    await tx
      .insertInto('bankBranches')
      .values(part)
      .onConflict(conflict => conflict.columns(['bankId', 'code']).doUpdateSet(taken))
      .execute()
  }
  const gone = await markGone(tx, master, ids)
  await tx
    .insertInto('bankMasterImports')
    .values({ version: master.version })
    .onConflict(conflict => conflict.column('isOnly').doUpdateSet({ version: master.version, importedAt: sql`now()` }))
    .execute()
  return { banks: master.banks.length, branches: branches.length, gone }
}

const taken = {
  name: sql<string>`excluded.name`,
  kana: sql<string>`excluded.kana`,
  hira: sql<string>`excluded.hira`,
  roma: sql<string>`excluded.roma`,
  isGone: false,
}

async function markGone(tx: Transaction, master: BankMaster, ids: ReadonlyMap<string, bigint>): Promise<number> {
  const banks = new Set(master.banks.map(bank => ids.get(bank.code)))
  const branches = new Set(
    master.banks.flatMap(bank => Object.keys(bank.branches).map(code => `${ids.get(bank.code)}-${code}`)),
  )
  const knownBanks = await tx.selectFrom('banks').select(['id', 'isGone']).execute()
  const goneBanks = knownBanks.filter(bank => !banks.has(bank.id))
  const knownBranches = await tx.selectFrom('bankBranches').select(['id', 'bankId', 'code', 'isGone']).execute()
  const goneBranches = knownBranches.filter(branch => !branches.has(`${branch.bankId}-${branch.code}`))
  for (const part of slices(goneBanks.filter(bank => !bank.isGone).map(bank => bank.id)))
    await tx.updateTable('banks').set({ isGone: true }).where('id', 'in', part).execute()
  for (const part of slices(goneBranches.filter(branch => !branch.isGone).map(branch => branch.id)))
    await tx.updateTable('bankBranches').set({ isGone: true }).where('id', 'in', part).execute()
  return goneBanks.length + goneBranches.length
}

/** The package mixes three long marks; one is enough. Kana must be writable in a bank file. */
function readable({ code, name, kana, hira, roma }: MasterEntry) {
  const oneMark = (text: string) => text.replace(/[－‐−—-]/g, 'ー')
  if (toHalfWidthKana(kana) === '') throw new Error(`bank master: ${code} ${name} has no kana`)
  return { code, name, kana: oneMark(kana), hira: oneMark(hira), roma: roma.replace(/[－ー−]/g, '-') }
}

function* slices<T>(rows: readonly T[]): Generator<T[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    yield rows.slice(start, start + ROWS_PER_STATEMENT)
}
