/**
 * Settings that an application fetches at start from `config.json` beside its page, so that one build runs in every
 * installation. Written by `apps/server`.
 */
export interface RuntimeConfig {
  readonly insightApiOrigin: string
  readonly iamApiOrigin: string
  /** The issuer, `${webOrigin}/oidc` when embedded. */
  readonly oidcIssuer: string
  /** Endpoints of the embedded issuer; absent: they are read from its discovery document. */
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
  /** Where users get help: a mail or web address. */
  readonly supportContact?: string
  /** The operator's page about outages. */
  readonly statusUrl?: string
  readonly analytics: AnalyticsConfig
}

export type ExternalLink = 'faq' | 'feedSpecification' | 'adminGuide' | 'serviceTerms' | 'contentGuidelines'

/** Page views go to our own endpoint, to Google Analytics 4, or nowhere. */
export type AnalyticsConfig =
  | { readonly kind: 'off' }
  | { readonly kind: 'own'; readonly endpoint: string }
  | { readonly kind: 'ga4'; readonly measurementId: string }

/** @throws when the server does not return a configuration; the application cannot start then */
export async function loadRuntimeConfig(address = './config.json'): Promise<RuntimeConfig> {
  const response = await fetch(address, { credentials: 'same-origin' })
  if (!response.ok) throw new Error(`config.json: status ${response.status}`)
  return (await response.json()) as RuntimeConfig
}
