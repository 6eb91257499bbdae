import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'

/** Aborts reading a file; the entry point turns it into a refusal. */
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
