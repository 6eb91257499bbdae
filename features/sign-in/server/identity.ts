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
import type { AccountLetters } from './account-letters.ts'
import { mintToken, type TokenAnswer } from './mint-token.ts'
import { signInApi } from './sign-in-api.ts'

/** Everything about who somebody is, wired from the configuration. */
export interface Identity {
  /** For the APIs: the person behind an Authorization header, or nobody. */
  readonly authenticate: Authenticate
  /**
   * For the web listener, in this order and before the files of `/sso`: `/oidc/…` (embedded issuer), `/sso/api/…`.
   * True when the request was answered.
   */
  readonly handle: (req: IncomingMessage, res: ServerResponse) => Promise<boolean>
  /** For the control socket: `POST /token {email}`. */
  readonly mintToken: (email: unknown) => Promise<TokenAnswer>
  /** Undefined with an external OIDC_ISSUER. */
  readonly issuer: EmbeddedIssuer | undefined
  /** Ends the hourly removal of what expired. */
  close(): void
}

export interface IdentityDeps {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  /** Told of faults; answers are masked. */
  readonly onFault: (error: unknown) => void
  readonly letters: AccountLetters
  readonly atRest: SecretsAtRest
}

const HOUR_MS = 3_600_000

export function identity({ config, database, clock, onFault, letters, atRest }: IdentityDeps): Identity {
  const keys = signingKeys(database, clock, atRest)
  const verification = {
    database,
    clock,
    issuer: config.oidcIssuer,
    isEmbedded: config.isOidcEmbedded,
    audience: config.oidcClientId,
    keys,
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
          onFault,
        },
        keys,
      )
    : undefined
  const api = signInApi({
    database,
    clock,
    webOrigin: config.webOrigin,
    oidcIssuer: config.oidcIssuer,
    oidcClientId: config.oidcClientId,
    trustedProxies: config.trustedProxies,
    isDemo: config.makesDemoData,
    issuer,
    verifyToken: configuredVerifier(verification),
    letters,
    atRest,
    onFault,
  })
  const housekeeping = setInterval(() => void removeExpiredPayloads(database).catch(onFault), HOUR_MS).unref()
  return {
    authenticate: authenticator(verification),
    handle: async (req, res) => ((await issuer?.handle(req, res)) ?? false) || api(req, res),
    mintToken: email => mintToken(database, issuer, email),
    issuer,
    close: () => clearInterval(housekeeping),
  }
}
