import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@pc/platform/clock.ts'
import type { Config } from '@pc/platform/config.ts'
import { type Authenticate, authenticator, configuredVerifier } from '@pc/platform/oidc/authenticate.ts'
import { type EmbeddedIssuer, embeddedIssuer } from '@pc/platform/oidc/embedded-issuer.ts'
import { removeExpiredPayloads } from '@pc/platform/oidc/provider-adapter.ts'
import { signingKeys } from '@pc/platform/oidc/signing-keys.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { SecretsAtRest } from '@pc/platform/secrets/secrets-at-rest.ts'
import {
  CONSOLE_CALLBACK_PATH,
  CONSOLE_SILENT_CALLBACK_PATH,
  IAM_CALLBACK_PATH,
  IAM_SILENT_CALLBACK_PATH,
  SIGN_OUT_HREF,
  SIGNED_OUT_PATHS,
  signInHref,
} from '../links.ts'
import type { AccountEmails } from './account-emails.ts'
import { countSignIn } from './attempt-limit.ts'
import { mintToken, type TokenAnswer } from './mint-token.ts'
import { signInApi } from './sign-in-api.ts'

/** Identity services, wired from the configuration. */
export interface Identity {
  /** For the APIs: the person of an Authorization header; undefined when it is missing or invalid. */
  readonly authenticate: Authenticate
  /**
   * Handles `/oidc/…` (embedded issuer) and `/sso/api/…` of the web listener, before the files of `/sso`. True when the
   * request was answered.
   */
  readonly handle: (req: IncomingMessage, res: ServerResponse) => Promise<boolean>
  /** For the control socket: `POST /token {email}`. */
  readonly mintToken: (email: unknown) => Promise<TokenAnswer>
  /** Undefined with an external OIDC_ISSUER. */
  readonly issuer: EmbeddedIssuer | undefined
  /** Ends the hourly removal of expired rows. */
  close(): void
}

export interface IdentityDeps {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  /** Receives faults; responses are masked. */
  readonly onFault: (error: unknown) => void
  readonly emails: AccountEmails
  readonly atRest: SecretsAtRest
  /** Receives the reason why an external issuer's token is refused, for the log. */
  readonly onRefused?: OnRefusedSignIn
}

const HOUR_MS = 3_600_000
/** How often the same reason of a refused token is logged. */
const REPEAT_AFTER_MS = 60_000

type OnRefusedSignIn = (why: string, subject?: string, detail?: string) => void

/** Reports each reason at most once a minute, so that a program with a refused token does not fill the log. */
function oncePerReason(report: OnRefusedSignIn): OnRefusedSignIn {
  const loggedAt = new Map<string, number>()
  return (why, subject, detail) => {
    const now = performance.now()
    if (now - (loggedAt.get(why) ?? Number.NEGATIVE_INFINITY) < REPEAT_AFTER_MS) return
    loggedAt.set(why, now)
    // Some issuers use the email address as subject; the log must not contain addresses.
    report(why, subject?.includes('@') ? '(an address)' : subject, detail)
  }
}

export function identity(deps: IdentityDeps): Identity {
  const { config, database, clock, onFault, emails, atRest } = deps
  const onRefused = oncePerReason(deps.onRefused ?? (() => {}))
  const keys = signingKeys(database, clock, atRest)
  const verification = {
    database,
    clock,
    issuer: config.oidcIssuer,
    isEmbedded: config.isOidcEmbedded,
    audience: config.oidcClientId,
    keys,
    stepUpAcr: config.oidcStepUpAcr,
  }
  const issuer = config.isOidcEmbedded
    ? embeddedIssuer(
        {
          database,
          issuer: config.oidcIssuer,
          clientId: config.oidcClientId,
          redirectPaths: [
            CONSOLE_CALLBACK_PATH,
            CONSOLE_SILENT_CALLBACK_PATH,
            IAM_CALLBACK_PATH,
            IAM_SILENT_CALLBACK_PATH,
          ],
          signedOutPaths: SIGNED_OUT_PATHS,
          trustedProxies: config.trustedProxies,
          signInHref,
          signOutHref: SIGN_OUT_HREF,
          countSignIn: address => countSignIn(database, clock.now(), address),
          onFault,
        },
        keys,
      )
    : undefined
  const authenticate = authenticator(verification)
  const api = signInApi({
    database,
    clock,
    webOrigin: config.webOrigin,
    oidcIssuer: config.oidcIssuer,
    oidcClientId: config.oidcClientId,
    oidcStepUpAcr: config.oidcStepUpAcr,
    trustedProxies: config.trustedProxies,
    isDemo: config.makesDemoData,
    supportContact: config.supportContact,
    issuer,
    verifyToken: configuredVerifier(verification),
    emails,
    atRest,
    onFault,
    authenticate,
    onRefused,
  })
  const housekeeping = setInterval(() => void removeExpiredPayloads(database).catch(onFault), HOUR_MS).unref()
  return {
    // An expired token is normal: a sleeping tab wakes up with one and renews it, so it is not logged.
    authenticate: authorization =>
      authenticate(authorization, (why, ...details) => why !== 'expired' && onRefused(why, ...details)),
    handle: async (req, res) => ((await issuer?.handle(req, res)) ?? false) || api(req, res),
    mintToken: email => mintToken(database, issuer, clock, email),
    issuer,
    close: () => clearInterval(housekeeping),
  }
}
