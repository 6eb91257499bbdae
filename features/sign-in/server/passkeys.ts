import { isIP } from 'node:net'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { makeLink, useLink } from './one-time-link.ts'

const CHALLENGE_SECONDS = 300
const MAX_PASSKEYS = 10
const MAX_LABEL_LENGTH = 50

/** The library is loaded by the first passkey, not by the start. */
const webauthn = () => import('@simplewebauthn/server')
type Verification = Awaited<ReturnType<typeof webauthn>>
type Registration = Parameters<Verification['verifyRegistrationResponse']>[0]['response']
type Authentication = Parameters<Verification['verifyAuthenticationResponse']>[0]['response']

/** Browsers bind passkeys to a host name; an address of digits is none, and plain http is for `localhost` alone. */
export function passkeyHost(webOrigin: string): string | undefined {
  const { hostname, protocol } = new URL(webOrigin)
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return undefined
  return protocol === 'https:' || hostname === 'localhost' ? hostname : undefined
}

/** The challenge is a secret of one use, kept as its hash like every link's. */
function newChallenge(database: Database, payload: Readonly<Record<string, string>>): Promise<string> {
  return database.inScope(SYSTEM, tx => makeLink(tx, 'PasskeyChallenge', payload, CHALLENGE_SECONDS))
}

export async function registrationOptions(
  database: Database,
  webOrigin: string,
  person: { readonly uid: string; readonly email: string },
): Promise<unknown> {
  const { generateRegistrationOptions } = await webauthn()
  const known = await credentialsOf(database, person.uid)
  return generateRegistrationOptions({
    rpName: 'Publisher Center',
    rpID: passkeyHost(webOrigin) ?? '',
    userName: person.email,
    userDisplayName: person.email,
    userID: new TextEncoder().encode(person.uid),
    challenge: new Uint8Array(
      Buffer.from(await newChallenge(database, { accountId: person.uid, for: 'add' }), 'base64url'),
    ),
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
}

/** Keeps a new passkey; false when the answer of the browser does not belong to our question. */
export async function addPasskey(
  database: Database,
  webOrigin: string,
  uid: string,
  response: unknown,
  typedLabel: string,
): Promise<boolean> {
  if (!hasShape(response)) return false
  const { verifyRegistrationResponse } = await webauthn()
  const verified = await verifyRegistrationResponse({
    response: response as unknown as Registration,
    expectedChallenge: challenge => isOurs(database, challenge, uid, 'add'),
    expectedOrigin: webOrigin,
    expectedRPID: passkeyHost(webOrigin) ?? '',
  }).catch(() => undefined)
  if (!verified?.verified) return false
  const { credential } = verified.registrationInfo
  const label =
    typedLabel
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, MAX_LABEL_LENGTH) || 'パスキー'
  const made = await database.inScope(SYSTEM, tx =>
    sql`insert into idp_authenticators (uid, kind, label, credential_id, public_key, sign_count, transports)
      select ${uid}::uuid, 'passkey', ${label}, ${credential.id}, ${Buffer.from(credential.publicKey)},
        ${credential.counter}, ${credential.transports ?? []}::text[]
      where (select count(*) from idp_authenticators where uid = ${uid}::uuid and kind = 'passkey') < ${MAX_PASSKEYS}
      on conflict (credential_id) do nothing returning 1`.execute(tx),
  )
  return made.rows.length > 0
}

/** What a question is for: an answer counts for nothing else. */
type Purpose = 'sign-in' | 'step-up'

/** @param uid undefined: somebody who has not said who they are; the passkey itself says it */
export async function authenticationOptions(
  database: Database,
  webOrigin: string,
  uid: string | undefined,
  purpose: Purpose = 'sign-in',
): Promise<unknown> {
  const { generateAuthenticationOptions } = await webauthn()
  const known = uid === undefined ? [] : await credentialsOf(database, uid)
  const challenge = await newChallenge(database, { for: purpose, ...(uid === undefined ? {} : { accountId: uid }) })
  return generateAuthenticationOptions({
    rpID: passkeyHost(webOrigin) ?? '',
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    userVerification: 'required',
    ...(known.length === 0
      ? {}
      : {
          allowCredentials: known.map(({ credentialId, transports }) => ({
            id: credentialId,
            transports: [...transports],
          })),
        }),
  } as Parameters<typeof generateAuthenticationOptions>[0])
}

/**
 * Whose passkey signed our challenge; undefined for any other answer. A counter that went back (a copied key) counts as
 * wrong, which the library checks.
 * @param uid undefined: of any person
 */
export async function checkPasskey(
  database: Database,
  webOrigin: string,
  uid: string | undefined,
  response: unknown,
  purpose: Purpose = 'sign-in',
): Promise<string | undefined> {
  if (!hasShape(response)) return undefined
  const credential = await database.inScope(SYSTEM, tx => credentialOf(tx, response.id))
  if (!credential || (uid !== undefined && credential.uid !== uid)) return undefined
  const { verifyAuthenticationResponse } = await webauthn()
  const verified = await verifyAuthenticationResponse({
    response: response as unknown as Authentication,
    expectedChallenge: challenge => isOurs(database, challenge, uid, purpose),
    expectedOrigin: webOrigin,
    expectedRPID: passkeyHost(webOrigin) ?? '',
    credential: {
      id: response.id,
      publicKey: new Uint8Array(credential.publicKey),
      counter: Number(credential.signCount),
    },
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  await database.inScope(SYSTEM, tx =>
    sql`update idp_authenticators set sign_count = ${verified.authenticationInfo.newCounter}, last_used_at = now()
      where credential_id = ${response.id}`.execute(tx),
  )
  return credential.uid
}

function hasShape(value: unknown): value is { readonly id: string } {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
}

async function isOurs(
  database: Database,
  challenge: string,
  uid: string | undefined,
  purpose: string,
): Promise<boolean> {
  const kept = await database.inScope(SYSTEM, tx => useLink(tx, 'PasskeyChallenge', challenge))
  return kept !== undefined && kept.for === purpose && kept.accountId === uid
}

interface CredentialRow {
  readonly uid: string
  readonly publicKey: Buffer
  readonly signCount: bigint
}

async function credentialOf(tx: Transaction, id: string): Promise<CredentialRow | undefined> {
  const found = await sql<CredentialRow>`select a.uid::text as uid, a.public_key, a.sign_count from idp_authenticators a
    join users u on u.uid = a.uid and u.enabled where a.credential_id = ${id}`.execute(tx)
  return found.rows[0]
}

async function credentialsOf(database: Database, uid: string) {
  const found = await database.inScope(SYSTEM, tx =>
    sql<{
      credentialId: string
      transports: readonly string[]
    }>`select credential_id, coalesce(transports, '{}') as transports
      from idp_authenticators where uid = ${uid}::uuid and kind = 'passkey'`.execute(tx),
  )
  return found.rows
}
