import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AuditAction } from '@pc/domain/access/audit-action-labels.ja.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { recordChange } from '@pc/platform/audit/record-change.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Authenticate } from '@pc/platform/oidc/authenticate.ts'
import type { EmbeddedIssuer } from '@pc/platform/oidc/embedded-issuer.ts'
import { usableAccount } from '@pc/platform/oidc/issuer-account.ts'
import type { VerifyToken } from '@pc/platform/oidc/verify-token.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import type { SecretsAtRest } from '@pc/platform/secrets/secrets-at-rest.ts'
import type { SignInRefusalCode } from '../refusals.ts'
import type { AccountEmails } from './account-emails.ts'

export interface SignInApiOptions {
  readonly database: Database
  readonly clock: Clock
  readonly webOrigin: string
  readonly oidcIssuer: string
  readonly oidcClientId: string
  /** `acr_values` of a step-up at an external issuer; empty: any level. */
  readonly oidcStepUpAcr: readonly string[]
  /** The number of reverse proxies in front whose X-Forwarded-For is trusted. */
  readonly trustedProxies: number
  readonly isDemo: boolean
  readonly supportContact: string | undefined
  /** Undefined with an external issuer (OIDC_ISSUER), as there are no passwords here then. */
  readonly issuer: EmbeddedIssuer | undefined
  readonly verifyToken: VerifyToken
  readonly emails: AccountEmails
  readonly atRest: SecretsAtRest
  readonly onFault: (error: unknown) => void
  readonly authenticate: Authenticate
  /** Receives the reason why a person of an external issuer was refused. */
  readonly onRefused: (why: string, subject?: string, detail?: string) => void
}

type SignInRefusals = readonly Refusal<SignInRefusalCode>[]

/** The response of an endpoint: a body, or refusals. */
export type Answer = { readonly body: unknown } | { readonly refusals: SignInRefusals }

export interface Call {
  readonly options: SignInApiOptions
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly input: Readonly<Record<string, unknown>>
  readonly address: string
}

export type Endpoint = (call: Call) => Promise<Answer>

export const refuse = (...refusals: SignInRefusals): Answer => ({ refusals })
export const text = (input: Call['input'], name: string) =>
  typeof input[name] === 'string' ? (input[name] as string) : ''

/** The person of the browser's own session. */
export interface Asking {
  readonly uid: string
  readonly email: string
  readonly sessionUid: string
  /** Start of the session, in seconds since 1970. */
  readonly startedAt: number
  readonly address: string
  readonly userAgent: string
}

/** The browser's session; undefined when there is none or its account may not be used any more. */
export async function asking({ options, req, res, address }: Call): Promise<Asking | undefined> {
  const session = await options.issuer?.browserSession(req, res)
  if (!session) return undefined
  const account = await usableAccount(options.database, session.uid, session.startedAt)
  if (!account) return undefined
  const { sessionUid, startedAt } = session
  const userAgent = String(req.headers['user-agent'] ?? '')
  return { uid: account.uid, email: account.email, sessionUid, startedAt, address, userAgent }
}

/** An endpoint for a person who is signed in at the embedded issuer in this browser. */
export function forPerson(work: (call: Call, person: Asking) => Promise<Answer>): Endpoint {
  return async call => {
    const person = await asking(call)
    if (person) return work(call, person)
    return refuse(refusal(call.options.issuer ? 'sign-in/not-signed-in' : 'sign-in/not-here'))
  }
}

/** An endpoint that only the embedded issuer has; an external one has screens of its own. */
export function atEmbedded(work: (call: Call, issuer: EmbeddedIssuer) => Promise<Answer>): Endpoint {
  return async call => (call.options.issuer ? work(call, call.options.issuer) : refuse(refusal('sign-in/not-here')))
}

export interface AuditedEvent {
  /** The account; null when it is unknown. */
  readonly uid: string | null
  /** For example `sign-in`, `sign-in-refused`, `change-password`. */
  readonly action: AuditAction
  /** Whether the person has been authenticated; otherwise the audit log names no actor. */
  readonly isAuthenticated: boolean
  readonly details?: Readonly<Record<string, string | number | boolean>>
}

/** Records an event of an account in the audit log; never what was typed. */
export async function auditAccount(tx: Transaction, address: string, event: AuditedEvent): Promise<void> {
  const actor = {
    uid: event.isAuthenticated ? event.uid : null,
    actingAsUid: null,
    sourceAddress: address,
    requestId: randomUUID(),
  }
  await recordChange(tx, actor, {
    action: event.action,
    resource: 'iam:user.',
    rowId: event.uid ?? '',
    before: null,
    after: event.details ?? null,
  })
}

/** Like {@link auditAccount}, in a transaction of its own. */
export async function noteAccountEvent({ options, address }: Call, event: AuditedEvent): Promise<void> {
  await options.database.inScope(SYSTEM, tx => auditAccount(tx, address, event))
}
