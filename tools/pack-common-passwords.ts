import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Makes `features/sign-in/server/common-passwords.bin` from lists of leaked passwords (JSON arrays, most common first):
 * the first four bytes of the SHA-256 of each, sorted, without duplicates. Passwords shorter than six characters are
 * left out, because new passwords are longer.
 *
 *   node tools/pack-common-passwords.ts passwords.json …
 *
 * The file in the repository was made from `src/passwords.json` of @zxcvbn-ts/language-common 4.1.3 (MIT) and the
 * passwords of zxcvbn 4.4.2 (MIT): 42,715 passwords.
 */
const MIN_LENGTH = 6
const passwords = new Set(
  process.argv
    .slice(2)
    .flatMap(file => JSON.parse(readFileSync(file, 'utf8')) as unknown[])
    .map(password => String(password).normalize('NFKC').toLowerCase())
    .filter(password => password.length >= MIN_LENGTH),
)
const prefixes = new Set([...passwords].map(text => createHash('sha256').update(text).digest().readUInt32BE(0)))
const packed = Buffer.alloc(prefixes.size * 4)
for (const [index, prefix] of [...prefixes].sort((a, b) => a - b).entries()) packed.writeUInt32BE(prefix, index * 4)
writeFileSync('features/sign-in/server/common-passwords.bin', packed)
console.log(`${passwords.size} passwords, ${packed.length} bytes`)
