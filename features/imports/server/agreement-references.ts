import { plainAgreementCode } from '@pc/domain/agreement/agreement-texts.ts'
import { compareBigints } from '@pc/domain/money/allocate.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { truncate } from '@pc/domain/text/truncate.ts'
import type { Cells, RecordIds, Refused } from './import-kind.ts'
import { MAX_SHOWN } from './references.ts'

interface Coded {
  readonly id: bigint
  readonly code: string
}

/**
 * Finds agreements by the code in a row. Earlier versions stored codes as typed, so that two agreements can have the same
 * normalised code; such a code matches none of them.
 */
export class AgreementReferences<T extends Coded> {
  readonly #byCode: ReadonlyMap<string, readonly T[]>
  readonly #column: string

  /** @param column the key of the rows' code column, for refusals. `find` and `demand` always read the cell `code`. */
  constructor(rows: readonly T[], column = 'code') {
    this.#byCode = Map.groupBy(rows, row => plainAgreementCode(row.code))
    this.#column = column
  }

  find({ code = '' }: Cells): T | undefined {
    const [agreement, ...others] = this.#named(code)
    return others.length === 0 ? agreement : undefined
  }

  demand(cells: Cells): Result<T, Refused> {
    const agreement = this.find(cells)
    if (agreement) return ok(agreement)
    const { code = '' } = cells
    const value = truncate(code, MAX_SHOWN)
    const ids = this.#named(code).map(({ id }) => id)
    if (ids.length > 0)
      return refused(
        refusal('import/code-ambiguous', [this.#column], { value, ids: ids.toSorted(compareBigints).join('、') }),
      )
    const data = { noun: '契約', value, remedy: '先に契約を取り込むか、契約コードを直してください。' }
    return refused(refusal('import/reference-unknown', [this.#column], data))
  }

  #named(code: string): readonly T[] {
    return this.#byCode.get(plainAgreementCode(code)) ?? []
  }

  /** The agreement of a resolved row, which is known to exist. */
  of(cells: Cells): T {
    const agreement = this.find(cells)
    if (!agreement) throw new Error('a row was resolved without its agreement')
    return agreement
  }

  recordIdsOf(cells: Cells): RecordIds {
    return { agreementId: String(this.of(cells).id) }
  }
}
