import { type RegisterFileRefusal, type RegisterLine, readRegisterFile } from '@pc/domain/agreement/register-file.ts'
import {
  REGISTRATION_STATUSES,
  type RegisterFinding,
  type RegistrationStatus,
  registerFinding,
} from '@pc/domain/agreement/registration-status.ts'
import type { PayeeKind } from '@pc/domain/bank/registration-number.ts'
import { floorDivide } from '@pc/domain/money/floor-division.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import { type DeductionTable, deductiblePercentOf, splitInputTax } from '@pc/domain/settlement/deduction.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** An agreement with a registration number, the number's status in the register, and the tax that depends on it. */
export interface WatchedNumber extends RegisterFinding {
  readonly agreementId: bigint
  readonly agreementName: string
  readonly agreementCode: string
  readonly mediumId: bigint
  readonly partnerName: string
  readonly number: string
  /** When the register was asked last; null: never. */
  readonly checkedAt: Date | null
  /** The last month that was computed; null: none. */
  readonly month: YearMonth | null
  readonly revenueYen: bigint
  /** The part of that month's consumption tax that the platform cannot deduct without a registration. */
  readonly lostTaxYen: bigint
}

export interface RegisterWatch {
  readonly counts: Readonly<Record<RegistrationStatus, number>>
  /** In the order of {@link REGISTRATION_STATUSES}: those that need action come first. */
  readonly nodes: readonly WatchedNumber[]
}

interface AgreementRow extends Omit<WatchedNumber, 'standing' | 'endedOn' | 'checkedAt' | 'revenueYen' | 'lostTaxYen'> {
  readonly payeeKind: PayeeKind
  readonly revenueYen: bigint | null
  readonly taxRatePercent: number | null
}

/** Numbers that are listed; the counts cover all. */
const MAX_SHOWN = 1_000

/** Reads the registration numbers of all agreements that have not ended, those that need action first. */
export async function watchRegister(tx: Transaction, today: Day): Promise<RegisterWatch> {
  const { rows } = await sql<AgreementRow>`
    select a.id as agreement_id, a.name as agreement_name, a.code as agreement_code, a.medium_id, o.name as partner_name,
      a.invoice_registration_number as number, a.payee_kind, p.month,
      p.revenue_yen + p.manual_adjustment_revenue_yen as revenue_yen, p.tax_rate_percent
    from agreements a join organizations o on o.id = a.organization_id
    left join lateral (select * from monthly_payments m where m.agreement_id = a.id order by m.month desc limit 1) p on true
    where a.invoice_registration_number is not null and not app.is_terminated(a.terminated_at, ${today}::date)
    order by o.name, a.id`.execute(tx)
  const register = await readSpans(tx)
  const table = await readDeductions(tx)
  const found = rows.map(row => watched(row, register.get(row.number) ?? [], table, today))
  const counts = Object.fromEntries(
    REGISTRATION_STATUSES.map(standing => [standing, found.filter(each => each.standing === standing).length]),
  ) as Record<RegistrationStatus, number>
  const place = (each: WatchedNumber) => REGISTRATION_STATUSES.indexOf(each.standing)
  return { counts, nodes: found.toSorted((a, b) => place(a) - place(b)).slice(0, MAX_SHOWN) }
}

type Span = Awaited<ReturnType<typeof readSpans>> extends ReadonlyMap<string, readonly (infer One)[]> ? One : never

async function readSpans(tx: Transaction) {
  const rows = await tx
    .selectFrom('invoiceRegisterResults')
    .select(['registrationNumber', 'registeredOn', 'endedOn', 'checkedAt'])
    .execute()
  return Map.groupBy(
    rows.map(row => ({ ...row, registeredOn: row.registeredOn as Day, endedOn: row.endedOn as Day | null })),
    row => row.registrationNumber,
  )
}

async function readDeductions(tx: Transaction): Promise<DeductionTable> {
  const rows = await tx.selectFrom('inputTaxDeductions').selectAll().orderBy('validFromMonth').execute()
  return rows.map(row => ({
    validFromMonth: row.validFromMonth as YearMonth,
    deductiblePercent: row.deductiblePercent,
  }))
}

function watched(row: AgreementRow, spans: readonly Span[], table: DeductionTable, today: Day): WatchedNumber {
  const { payeeKind, taxRatePercent, ...shown } = row
  const revenueYen = row.revenueYen !== null && row.revenueYen > 0n ? row.revenueYen : 0n
  const taxYen = floorDivide(revenueYen * BigInt(taxRatePercent ?? 0), 100n)
  const percent = deductiblePercentOf(table, monthOfDay(today), false)
  const checks = spans.map(span => span.checkedAt.getTime())
  return {
    ...shown,
    ...registerFinding(row.number, payeeKind, spans, today),
    checkedAt: checks.length === 0 ? null : new Date(Math.max(...checks)),
    revenueYen,
    lostTaxYen: splitInputTax(taxYen, percent).nonDeductibleTaxYen,
  }
}

/** The result of importing a file of the register. */
export interface ImportedRegister {
  /** Lines of the file. */
  readonly lines: number
  /** Numbers of agreements that occur in the file. */
  readonly known: number
  /** Numbers whose registration changed. */
  readonly changed: number
}

/**
 * Imports a file of the public register for the numbers that agreements have. Numbers that it does not contain stay as
 * they are. Drafts of open months are computed again when something changes for them.
 */
export async function importRegister(
  write: Pick<Write, 'tx' | 'record'>,
  file: { readonly name: string; readonly content: Uint8Array },
  now: Date,
): Promise<Result<ImportedRegister, RegisterFileRefusal>> {
  const { tx } = write
  const read = readRegisterFile(decode(file.content))
  if (!read.ok) return read
  const numbers = await tx
    .selectFrom('agreements')
    .select('invoiceRegistrationNumber as number')
    .distinct()
    .where('invoiceRegistrationNumber', 'is not', null)
    .execute()
  const ours = new Set(numbers.map(row => row.number))
  const lines = read.value.filter(line => ours.has(line.number))
  const column = (value: (line: RegisterLine) => string | null) =>
    `{${lines.map(each => value(each) ?? 'NULL').join(',')}}`
  // One statement sees the rows as they were when it began, so it can compare them with what it writes.
  const changed = await sql<{ number: string }>`
    with given as (select * from unnest(${column(line => line.number)}::text::text[],
        ${column(line => line.registeredOn)}::text::date[], ${column(line => line.endedOn)}::text::date[])
        as g (number, registered_on, ended_on)
    ), put as (
      insert into invoice_register_results (registration_number, registered_on, ended_on, source, checked_at)
      select number, registered_on, ended_on, ${`file:${file.name}`}::text, ${now}::timestamptz from given
      on conflict (registration_number, registered_on)
        do update set ended_on = excluded.ended_on, source = excluded.source, checked_at = excluded.checked_at
    )
    select distinct g.number from given g left join invoice_register_results b
      on b.registration_number = g.number and b.registered_on = g.registered_on
    where b.registration_number is null or b.ended_on is distinct from g.ended_on order by 1`.execute(tx)
  const outcome = {
    lines: read.value.length,
    known: new Set(lines.map(line => line.number)).size,
    changed: changed.rows.length,
  }
  write.record({
    action: 'import',
    resource: 'insight:dividend.',
    rowId: 'invoice-register',
    before: null,
    after: { ...outcome, file: file.name, numbers: changed.rows.slice(0, 100).map(row => row.number) },
  })
  return ok(outcome)
}

/** UTF-8, or Shift_JIS as spreadsheets write it; the published file has either. */
function decode(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return new TextDecoder('shift_jis').decode(content)
  }
}
