import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** RFC 6238 with the parameters that every authenticator app supports: SHA-1, 30 seconds, six digits. */
const STEP_SECONDS = 30
/** What authenticator apps show (RFC 6238). */
const DIGITS = 6
/** 160 bits (RFC 4226, section 4, R6). */
const SECRET_BYTES = 20
/** Clocks of phones may be one step off in either direction (RFC 6238, section 5.2). */
const TOLERATED_STEPS = 1

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** RFC 4648 without padding, for people who type the secret because they cannot scan it. */
export function base32(bytes: Buffer): string {
  let text = ''
  let value = 0
  let bits = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += BASE32[(value >>> bits) & 31]
    }
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text
}

/** The text of the QR code (Key URI Format of Google Authenticator). */
export function totpUri(secret: Buffer, email: string): string {
  const label = encodeURIComponent(`Publisher Center:${email}`)
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=Publisher%20Center`
}

/** The code of a time step (RFC 4226, section 5.3). */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/**
 * The time step of a typed code; undefined unless it is current and later than the last accepted one.
 * @param lastStep null: none was accepted yet
 */
export function stepOfCode(secret: Buffer, typed: string, nowMs: number, lastStep: number | null): number | undefined {
  const code = typed.normalize('NFKC').replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(code)) return undefined
  const now = Math.floor(nowMs / 1000 / STEP_SECONDS)
  for (let step = now - TOLERATED_STEPS; step <= now + TOLERATED_STEPS; step++) {
    const isNew = lastStep === null || step > lastStep
    if (isNew && timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))) return step
  }
  return undefined
}
