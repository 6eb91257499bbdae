import { describe, expect, test } from 'vitest'
import { base32, newTotpSecret, stepOfCode, totpCode, totpUri } from './totp.ts'

describe('one-time codes', () => {
  const secret = Buffer.from('12345678901234567890')

  test('are those of RFC 6238, appendix B (its last six digits)', () => {
    const vectors: [seconds: number, code: string][] = [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ]
    for (const [seconds, code] of vectors) expect(totpCode(secret, Math.floor(seconds / 30))).toBe(code)
  })
  test('count one step around now, each once, typed in any width', () => {
    const at = 1_111_111_111_000
    const step = Math.floor(at / 30_000)
    expect(stepOfCode(secret, '050471', at, null)).toBe(step)
    expect(stepOfCode(secret, ' ０５０ ４７１', at, null)).toBe(step)
    expect(stepOfCode(secret, totpCode(secret, step - 1), at, null)).toBe(step - 1)
    expect(stepOfCode(secret, totpCode(secret, step + 1), at, null)).toBe(step + 1)
    for (const off of [-2, 2]) expect(stepOfCode(secret, totpCode(secret, step + off), at, null)).toBeUndefined()
    expect(stepOfCode(secret, '050471', at, step)).toBeUndefined()
    for (const typed of ['', '05047', '0504711', 'abcdef', '__proto__'])
      expect(stepOfCode(secret, typed, at, null)).toBeUndefined()
  })
  test('secrets have 160 bits, written as RFC 4648 writes them', () => {
    expect(newTotpSecret()).toHaveLength(20)
    expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
    expect(base32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    expect(totpUri(secret, 'a&b@example.jp')).toBe(
      'otpauth://totp/Publisher%20Center%3Aa%26b%40example.jp?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Publisher%20Center',
    )
  })
})
