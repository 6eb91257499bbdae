import type { AgreementInput } from '@pc/domain/agreement/agreement-record.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import type { Result } from '@pc/domain/result.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Refused } from './import-kind.ts'

interface AgreementSubmission {
  readonly input: AgreementInput<Date>
  /** The complete list of accounts; undefined: unchanged. */
  readonly accounts: readonly { readonly bankAccountId: bigint; readonly usedFromMonth: YearMonth }[] | undefined
  readonly path: readonly (string | number)[]
  readonly accountsPath: readonly (string | number)[]
}

export interface AgreementUseCases {
  readonly clock: Clock
  createAgreements(
    write: Write,
    clock: Clock,
    submissions: readonly AgreementSubmission[],
  ): Promise<Result<unknown, Refused>>
  updateAgreements(
    write: Write,
    clock: Clock,
    submissions: readonly AgreementSubmission[],
  ): Promise<Result<unknown, Refused>>
}

/** Converts 2026-04 to 202604; undefined for an empty cell. */
export function monthNumber(text: string | undefined): YearMonth | undefined {
  return text ? (Number(text.replace('-', '')) as YearMonth) : undefined
}

export function monthCell(month: number | null): string {
  return month === null ? '' : formatYearMonth(month as YearMonth)
}
