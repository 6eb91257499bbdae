import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'

/** Ends the reading of a file; becomes a refusal where the reading began. */
export class TableRefused extends Error {
  override name = 'TableRefused'
  readonly code: RefusalCode
  readonly data: Readonly<Record<string, string | number>>

  constructor(code: RefusalCode, data: Readonly<Record<string, string | number>> = {}) {
    super(code)
    this.code = code
    this.data = data
  }
}
