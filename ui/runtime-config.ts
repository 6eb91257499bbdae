/**
 * What the server tells an application at start, from `config.json` beside its page: one build runs everywhere.
 * Written by apps/server.
 */
export interface RuntimeConfig {
  readonly insightApiOrigin: string
  readonly iamApiOrigin: string
  /** The issuer, `${webOrigin}/oidc` when embedded. */
  readonly oidcIssuer: string
  /** The embedded issuer's endpoints; without them its discovery document is asked for. */
  readonly oidcMetadata?: Readonly<Record<string, string>>
  readonly oidcClientId: string
  /** Sent as X-Client-Version. */
  readonly clientVersion: string
  /** Whether the links to /sso#/change-email and /sso#/change-pass are shown: accounts of the embedded issuer. */
  readonly canChangeEmail: boolean
  readonly canChangePassword: boolean
  /** Path prefixes of the launcher's services that are deployed, for example `/gpc/`. Others are not listed. */
  readonly deployedServices: readonly string[]
  /** Documents outside the application; an entry without an address is not listed. */
  readonly links: Readonly<Partial<Record<ExternalLink, string>>>
  /** Whom to ask: a mail address, or an address on the web. */
  readonly supportContact?: string
  readonly analytics: AnalyticsConfig
}

export type ExternalLink = 'faq' | 'feedSpecification' | 'adminGuide' | 'serviceTerms' | 'contentGuidelines'

/** Page views go to our own endpoint, to Google Analytics 4, or nowhere. */
export type AnalyticsConfig =
  | { readonly kind: 'off' }
  | { readonly kind: 'own'; readonly endpoint: string }
  | { readonly kind: 'ga4'; readonly measurementId: string }

/** @throws when the server does not answer with a configuration: nothing can work without it. */
export async function loadRuntimeConfig(address = './config.json'): Promise<RuntimeConfig> {
  const response = await fetch(address, { credentials: 'same-origin' })
  if (!response.ok) throw new Error(`config.json: status ${response.status}`)
  return (await response.json()) as RuntimeConfig
}
