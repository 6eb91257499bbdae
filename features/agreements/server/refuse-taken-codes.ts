import { plainAgreementCode } from '@pc/domain/agreement/agreement-texts.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

/** A code that an agreement is to have; undefined: a new agreement. */
export interface WantedCode {
  readonly id: bigint | undefined
  readonly code: string
  readonly path: readonly (string | number)[]
}

/**
 * An earlier version kept codes as they were typed: one that differs from such a code only in its form is taken, as files
 * and statements would not tell the two agreements apart. Codes in their plain form are compared by the database.
 */
export async function refuseTakenCodes(
  tx: Transaction,
  wanted: readonly WantedCode[],
): Promise<readonly Refusal<'agreement/code-taken'>[]> {
  if (wanted.length === 0) return []
  // Within printable ASCII every code is plain.
  const rows = await tx.selectFrom('agreements').select(['id', 'code']).where('code', '~', '[^ -~]').execute()
  const owners = new Map(
    rows.filter(({ code }) => plainAgreementCode(code) !== code).map(({ id, code }) => [plainAgreementCode(code), id]),
  )
  return wanted.flatMap(({ id, code, path }) => {
    const owner = owners.get(code)
    return owner === undefined || owner === id ? [] : [refusal('agreement/code-taken', [...path, 'code'])]
  })
}
