import { isQualifiedInvoiceIssuer } from '@pc/domain/agreement/invoice-issuer.ts'
import type { PayeeKind } from '@pc/domain/bank/registration-number.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { checkMonthInputSteps } from '@pc/domain/settlement/settlement-check.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { loadMonthAgain } from '../../core/server/load-month.ts'
import { readRegister } from '../../core/server/month-agreements.ts'
import { readDataVersion, readSettings } from '../../core/server/month-books.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { unfinishedIngest } from '../../core/server/month-readiness.ts'
import { readBooksVersion } from '../../core/server/month-version.ts'

/** Whether the draft of an open month still fits its inputs. */
export interface DraftFacts {
  /** Why the month cannot be computed; empty when it can. */
  readonly refusals: readonly Refusal<RefusalCode>[]
  /** Whether there is a draft, computed from the current inputs. */
  readonly isFresh: boolean
  readonly agreements: number
  /** Registration numbers that somebody entered; `isRegistered` null: nobody has looked it up. */
  readonly claims: readonly Claim[]
  readonly needsTwoPersons: boolean
}
export interface Claim {
  readonly agreementId: bigint
  readonly number: string
  readonly isRegistered: boolean | null
}

interface StateRow {
  readonly state: string
  readonly inputHash: string | null
  readonly dataVersion: string | null
  readonly booksVersion: string | null
}

/**
 * Reads whether the draft still fits its inputs. While the versions of books and statistics are those of the draft,
 * nothing is loaded, because boards are read every few seconds. Otherwise the contents are compared.
 */
export async function readDraftFacts(
  tx: Transaction,
  stats: StatsStore,
  key: MonthKey,
  state: StateRow | undefined,
): Promise<DraftFacts> {
  const { needsTwoPersons } = await readSettings(tx, key.month)
  if (state && (await isUntouched(tx, key, state))) {
    const claims = await readClaims(tx, key)
    const { agreements } = await tx
      .selectFrom('monthlyPayments')
      .select(eb => eb.fn.countAll<bigint>().as('agreements'))
      .where('mediumId', '=', key.mediumId)
      .where('month', '=', key.month)
      .executeTakeFirstOrThrow()
    return { refusals: [], isFresh: true, agreements: Number(agreements), claims, needsTwoPersons }
  }
  const { inputHash, ...loaded } = await loadOnce(tx, stats, key)
  const isFresh = inputHash !== undefined && state?.state === 'computed' && state.inputHash === inputHash
  return { ...loaded, isFresh, needsTwoPersons }
}

/** What loading a month from its books and statistics gives. */
interface Loaded extends Pick<DraftFacts, 'refusals' | 'agreements' | 'claims'> {
  /** Undefined when the month cannot be computed. */
  readonly inputHash: string | undefined
}
/** The last load of each month, valid as long as the versions of books and statistics stay the same. */
const loadedMonths = new WeakMap<StatsStore, Map<string, { readonly version: string; readonly loaded: Loaded }>>()
/** Months of media whose load is kept. */
const MAX_KNOWN = 100

/** Loads the month once for each version of books and statistics, however often the board is read. */
async function loadOnce(tx: Transaction, stats: StatsStore, key: MonthKey): Promise<Loaded> {
  const months = loadedMonths.get(stats) ?? new Map<string, { readonly version: string; readonly loaded: Loaded }>()
  loadedMonths.set(stats, months)
  const name = `${key.mediumId}/${key.month}`
  const version = `${await readDataVersion(tx, key.month)} ${await readBooksVersion(tx, key)}`
  const kept = months.get(name)
  if (kept?.version === version) return kept.loaded
  const loaded = await load(tx, stats, key)
  // Not kept while an ingest is unfinished: its figures may be in the store before the data version changes.
  if ((await unfinishedIngest(tx, key.month)) !== null) return loaded
  months.delete(name)
  if (months.size >= MAX_KNOWN) months.delete(months.keys().next().value ?? '')
  months.set(name, { version, loaded })
  return loaded
}

async function load(tx: Transaction, stats: StatsStore, key: MonthKey): Promise<Loaded> {
  const loaded = await loadMonthAgain(tx, stats, key)
  if (!loaded.ok) return { refusals: loaded.refusals, inputHash: undefined, agreements: 0, claims: [] }
  const { input, facts, inputHash } = loaded.value
  return {
    refusals: await runCooperatively(checkMonthInputSteps(input)),
    inputHash,
    agreements: input.agreements.length,
    claims: input.agreements.flatMap(({ agreementId, invoiceRegistrationNumber: number }) =>
      number === null ? [] : [{ agreementId, number, isRegistered: facts.get(agreementId)?.isRegistered ?? null }],
    ),
  }
}

async function isUntouched(tx: Transaction, key: MonthKey, state: StateRow): Promise<boolean> {
  if (state.state !== 'computed' || state.booksVersion === null) return false
  if (state.dataVersion !== (await readDataVersion(tx, key.month))) return false
  return state.booksVersion === (await readBooksVersion(tx, key))
}

/** The registration numbers of the draft's payees, with what the register says of them. */
export async function readClaims(tx: Transaction, { mediumId, month }: MonthKey): Promise<readonly Claim[]> {
  const rows = await tx
    .selectFrom('monthlyAgreementSnapshots as s')
    .innerJoin('agreements as a', 'a.id', 's.agreementId')
    .select(['s.agreementId', 'a.invoiceRegistrationNumber as number', 'a.payeeKind'])
    .where('s.mediumId', '=', mediumId)
    .where('s.month', '=', month)
    .where('a.invoiceRegistrationNumber', 'is not', null)
    .orderBy('s.agreementId')
    .execute()
  const register = rows.length === 0 ? undefined : await readRegister(tx, { mediumId })
  return rows.map(({ agreementId, number, payeeKind }) => {
    const spans = register?.get(number!)
    const isRegistered = spans ? isQualifiedInvoiceIssuer(number, payeeKind as PayeeKind, spans, month) : null
    return { agreementId, number: number!, isRegistered }
  })
}
