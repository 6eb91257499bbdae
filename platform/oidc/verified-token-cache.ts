import { hash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { MAX_AGE_SECONDS, type VerifiedToken, type VerifyToken } from './verify-token.ts'

const MAX_TOKENS = 10_000

/**
 * Caches verified tokens by their hash until they expire, least recently used evicted first. Rejected tokens are not
 * cached. Whether the session still exists is not part of it and must be checked at each request.
 */
export function rememberVerified(verify: VerifyToken, clock: Clock): VerifyToken {
  const known = new Map<string, VerifiedToken>()
  return async (token, onRefused) => {
    const id = hash('sha256', token, 'base64url')
    const remembered = known.get(id)
    known.delete(id)
    const verified = remembered && isYoung(remembered, clock) ? remembered : await verify(token, onRefused)
    if (!verified) return undefined
    known.set(id, verified) // now the most recently used
    if (known.size > MAX_TOKENS) known.delete(known.keys().next().value!)
    return verified
  }
}

function isYoung({ issuedAt, expiresAt }: VerifiedToken, clock: Clock): boolean {
  const now = clock.now() / 1000
  return now >= issuedAt && now < Math.min(expiresAt, issuedAt + MAX_AGE_SECONDS)
}
