import type { Config } from '@pc/platform/config.ts'
import { embeddedEndpoints } from '@pc/platform/oidc/embedded-endpoints.ts'

/** What the applications read at start from `config.json` beside their page (`ui/runtime-config.ts` reads it). */
export function runtimeConfig(config: Config, clientVersion: string) {
  return {
    insightApiOrigin: config.insightApiOrigin,
    iamApiOrigin: config.iamApiOrigin,
    oidcIssuer: config.oidcIssuer,
    ...(config.isOidcEmbedded ? { oidcMetadata: embeddedEndpoints(config.oidcIssuer) } : {}),
    oidcClientId: config.oidcClientId,
    clientVersion,
    // With an external identity provider, accounts are managed there.
    canChangeEmail: config.isOidcEmbedded,
    canChangePassword: config.isOidcEmbedded,
    deployedServices: config.launcherServices,
    links: config.documents,
    ...(config.supportContact === undefined ? {} : { supportContact: config.supportContact }),
    ...(config.statusUrl === undefined ? {} : { statusUrl: config.statusUrl }),
    analytics:
      config.ga4MeasurementId === undefined
        ? { kind: 'own', endpoint: '/analytics/page-views' }
        : { kind: 'ga4', measurementId: config.ga4MeasurementId },
  }
}
