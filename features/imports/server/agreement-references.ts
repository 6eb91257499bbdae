import { plainAgreementCode } from '@pc/domain/agreement/agreement-texts.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { truncate } from '@pc/domain/text/truncate.ts'
import type { Cells, RecordIds, Refused } from './import-kind.ts'
import { MAX_SHOWN } from './references.ts'

interface Coded {
  readonly id: bigint
  readonly code: string
}

/** Agreements as rows name them: by the code in the column `code`. */
export class AgreementReferences<T extends Coded> {
  readonly #byCode: ReadonlyMap<string, T>

  constructor(rows: readonly T[]) {
    this.#byCode = new Map(rows.map(row => [plainAgreementCode(row.code), row]))
  }

  find({ code = '' }: Cells): T | undefined {
    return this.#byCode.get(plainAgreementCode(code))
  }

  demand(cells: Cells): Result<T, Refused> {
    const agreement = this.find(cells)
    if (agreement) return ok(agreement)
    const value = truncate(cells.code ?? '', MAX_SHOWN)
    const data = { noun: '契約', value, remedy: '先に契約を取り込むか、契約コードを直してください。' }
    return refused(refusal('import/reference-unknown', ['code'], data))
  }

  /** Of a row that was resolved. */
  of(cells: Cells): T {
    const agreement = this.find(cells)
    if (!agreement) throw new Error('a row was resolved without its agreement')
    return agreement
  }

  recordIdsOf(cells: Cells): RecordIds {
    return { agreementId: String(this.of(cells).id) }
  }
}
