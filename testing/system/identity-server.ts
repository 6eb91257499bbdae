import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { renderChangeEmail } from '@pc/features/sign-in/server/account-change-email.ts'
import { renderLinkEmail } from '@pc/features/sign-in/server/account-emails.ts'
import { type Identity, identity } from '@pc/features/sign-in/server/identity.ts'
import { type Clock, systemClock } from '@pc/platform/clock.ts'
import { type Config, readConfig } from '@pc/platform/config.ts'
import { securityHeaders } from '@pc/platform/http/security-headers.ts'
import type { Mail } from '@pc/platform/mail/send-mail.ts'
import { hashPassword } from '@pc/platform/oidc/password-hash.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { type Keyring, openKeyring } from '@pc/platform/secrets/keyring.ts'
import { sql } from 'kysely'

export interface IdentityServer {
  readonly origin: string
  readonly config: Config
  readonly identity: Identity
  readonly mails: Mail[]
  readonly faults: unknown[]
  close(): Promise<void>
}

/** Shared by all servers of a test run, so that each can decrypt what another has encrypted. */
export const TEST_KEYRING = openKeyring([randomBytes(32)])

type Handler = Identity['handle']

/** A web listener with only the identity part, on a free port of 127.0.0.1 with a real database. */
export async function identityServer(
  database: Database,
  options: {
    readonly env?: Readonly<Record<string, string>>
    readonly clock?: Clock
    /** Default: {@link TEST_KEYRING}. */
    readonly keyring?: Keyring | undefined
    /** The host name in the addresses; default: 127.0.0.1. Passkeys need a name. */
    readonly hostName?: 'localhost'
    /** Pages served after the identity endpoints. */
    readonly pages?: (origin: string) => Handler
    /** Default: a free one. */
    readonly port?: number
    readonly onRefused?: (why: string) => void
  } = {},
): Promise<IdentityServer> {
  let handle: Handler = async () => false
  const server = createServer((req, res) => {
    void handle(req, res).then(isAnswered => {
      if (isAnswered) return
      res.writeHead(404, securityHeaders({ kind: 'html', webOrigin: origin })).end()
    })
  })
  await new Promise<void>(resolve => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://${options.hostName ?? '127.0.0.1'}:${port}`
  const config = readConfig({ PORT: String(port), WEB_ORIGIN: origin, ...options.env })
  const mails: Mail[] = []
  const faults: unknown[] = []
  const wired = identity({
    config,
    database,
    clock: options.clock ?? systemClock,
    onFault: error => faults.push(error),
    ...(options.onRefused ? { onRefused: options.onRefused } : {}),
    atRest: { keyring: 'keyring' in options ? options.keyring : TEST_KEYRING, isAlone: true },
    emails: {
      send: async (_tx, mail) => void mails.push(mail),
      sendAll: async (_tx, all) => void mails.push(...all),
      async sendLink(tx, message) {
        const mail = await renderLinkEmail(tx, message, origin)
        if (mail) mails.push(mail)
      },
      async sendChange(tx, changeId, message) {
        const mail = await renderChangeEmail(tx, String(changeId), message, origin)
        if (mail) mails.push(mail)
      },
      openInvitation: async () => {},
    },
  })
  const pages = options.pages?.(origin)
  handle = async (req, res) => (await wired.handle(req, res)) || (pages ? pages(req, res) : false)
  return {
    origin,
    config,
    identity: wired,
    mails,
    faults,
    close: () =>
      new Promise(resolve => {
        wired.close()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * Adds a user who can sign in.
 * @returns the uid
 */
export async function addUser(
  database: Database,
  user: { readonly email: string; readonly password?: string; readonly roles?: readonly string[] },
): Promise<string> {
  const hash = user.password === undefined ? undefined : await hashPassword(user.password)
  return database.inScope(SYSTEM, async tx => {
    const made = await sql<{ uid: string }>`insert into users (email, email_verified_at) values (${user.email}, now())
      returning uid::text as uid`.execute(tx)
    const uid = made.rows[0]?.uid ?? ''
    if (hash) await sql`insert into idp_accounts (uid, password_hash) values (${uid}::uuid, ${hash})`.execute(tx)
    for (const role of user.roles ?? []) {
      await sql`insert into roles (name) values (${role}) on conflict do nothing`.execute(tx)
      await sql`insert into user_roles (uid, role_name) values (${uid}::uuid, ${role})`.execute(tx)
    }
    return uid
  })
}
