import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** OWASP password storage cheat sheet for Argon2id: 19 MiB, 2 passes, 1 lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const TAG_BYTES = 32

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** NFKC: the same password typed in full-width or half-width characters stays the same. */
function messageOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'), 'utf8')
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** The PHC string of an Argon2id hash with a fresh salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await derive('argon2id', {
    message: messageOf(password),
    nonce: salt,
    parallelism: LANES,
    tagLength: TAG_BYTES,
    memory: MEMORY_KIB,
    passes: PASSES,
  })
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(salt)}$${base64(tag)}`
}

/** Whether the password matches the hash. A malformed hash matches nothing. */
export async function verifyPassword(phc: string, password: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(phc) ?? []
  if (!memory || !passes || !parallelism || !salt || !tag) return false
  const expected = Buffer.from(tag, 'base64')
  const actual = await derive('argon2id', {
    message: messageOf(password),
    nonce: Buffer.from(salt, 'base64'),
    parallelism: Number(parallelism),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
  })
  return timingSafeEqual(expected, actual)
}

/** Whether the hash has other parameters than today's and should be replaced at the next sign-in. */
export function needsRehash(phc: string): boolean {
  return !phc.startsWith(`$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$`)
}

/**
 * Hash of an unknown random password. It is verified when the account does not exist, so that the response time does
 * not reveal whether an email is registered.
 */
export const NO_ACCOUNT_HASH: Promise<string> = hashPassword(randomBytes(24).toString('base64url'))
