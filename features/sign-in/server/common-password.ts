import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Sorted first four bytes of SHA-256 of leaked passwords, made by `tools/pack-common-passwords.ts`; read at the first use. */
let known: Buffer | undefined

const ENTRY_BYTES = 4

/**
 * Whether a password is among the most common leaked ones (42,714 of them; one in 100,000 other passwords is taken for
 * one by mistake). Compared without regard to case and to full or half width.
 * Tested by `features/sign-in/server/new-password.test.ts`.
 */
export function isCommonPassword(password: string): boolean {
  known ??= readFileSync(new URL('./common-passwords.bin', import.meta.url))
  const plain = password.normalize('NFKC').toLowerCase()
  const wanted = createHash('sha256').update(plain).digest().readUInt32BE(0)
  let low = 0
  let high = known.length / ENTRY_BYTES - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = known.readUInt32BE(middle * ENTRY_BYTES)
    if (found === wanted) return true
    if (found < wanted) low = middle + 1
    else high = middle - 1
  }
  return false
}
