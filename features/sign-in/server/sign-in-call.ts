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
  /** Reverse proxies in front whose X-Forwarded-For is believed. */
  readonly trustedProxies: number
  readonly isDemo: boolean
  readonly supportContact: string | undefined
  /** Undefined with an external OIDC_ISSUER: then there are no passwords here. */
  readonly issuer: EmbeddedIssuer | undefined
  readonly verifyToken: VerifyToken
  readonly emails: AccountEmails
  readonly atRest: SecretsAtRest
  readonly onFault: (error: unknown) => void
  readonly authenticate: Authenticate
  /** Told why somebody of an external issuer was refused. */
  readonly onRefused: (why: string, subject?: string, detail?: string) => void
}

type SignInRefusals = readonly Refusal<SignInRefusalCode>[]

/** What an endpoint answers: a body, or why not. */
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

/** The caller: the account of the browser's own session. */
export interface Asking {
  readonly uid: string
  readonly email: string
  readonly sessionUid: string
  /** Seconds since 1970. */
  readonly startedAt: number
  readonly address: string
  readonly userAgent: string
}

/** The browser's session, if its account may still be used. */
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

/** An endpoint of the embedded issuer; with an external one the company's own screens do this. */
export function atEmbedded(work: (call: Call, issuer: EmbeddedIssuer) => Promise<Answer>): Endpoint {
  return async call => (call.options.issuer ? work(call, call.options.issuer) : refuse(refusal('sign-in/not-here')))
}

export interface AccountEvent {
  /** The account; null when nobody knows whose it would have been. */
  readonly uid: string | null
  /** For example `sign-in`, `sign-in-refused`, `change-password`. */
  readonly action: AuditAction
  /** Whether the person is known to be who they claim: only then are they the actor. */
  readonly isAuthenticated: boolean
  readonly details?: Readonly<Record<string, string | number | boolean>>
}

/** Writes what happened to an account into the audit log; never what was typed. */
export async function auditAccount(tx: Transaction, address: string, event: AccountEvent): Promise<void> {
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

/** As {@link auditAccount}, in a transaction of its own. */
export async function noteAccountEvent({ options, address }: Call, event: AccountEvent): Promise<void> {
  await options.database.inScope(SYSTEM, tx => auditAccount(tx, address, event))
}
