import { plainAgreementCode } from '@pc/domain/agreement/agreement-texts.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

/** A code that an agreement is to have. `id` undefined: a new agreement. */
export interface WantedCode {
  readonly id: bigint | undefined
  readonly code: string
  readonly path: readonly (string | number)[]
}

/**
 * Refuses codes that equal an existing code in plain form (`plainAgreementCode`). Earlier versions stored codes as typed,
 * and files and statements could not tell the two apart. A unique constraint covers codes that are stored in plain form.
 */
export async function refuseTakenCodes(
  tx: Transaction,
  wanted: readonly WantedCode[],
): Promise<readonly Refusal<'agreement/code-taken'>[]> {
  if (wanted.length === 0) return []
  // A code of printable ASCII characters is in plain form already.
  const rows = await tx.selectFrom('agreements').select(['id', 'code']).where('code', '~', '[^ -~]').execute()
  const owners = new Map(
    rows.filter(({ code }) => plainAgreementCode(code) !== code).map(({ id, code }) => [plainAgreementCode(code), id]),
  )
  return wanted.flatMap(({ id, code, path }) => {
    const owner = owners.get(code)
    return owner === undefined || owner === id ? [] : [refusal('agreement/code-taken', [...path, 'code'])]
  })
}
