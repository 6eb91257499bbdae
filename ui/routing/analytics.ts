import type { AnalyticsConfig } from '../runtime-config.ts'

/** Counts page views. Only the path of a screen is sent: no condition, no id of a row, no person. */
export interface Analytics {
  pageView(path: string, title: string): void
}

/** Without a configured service, nothing is sent. */
export function makeAnalytics(config: AnalyticsConfig): Analytics {
  if (config.kind === 'own') return { pageView: (path, title) => sendToOwnEndpoint(config.endpoint, path, title) }
  if (config.kind === 'ga4') return { pageView: (path, title) => sendToGoogle(config.measurementId, path, title) }
  return { pageView: () => {} }
}

function sendToOwnEndpoint(endpoint: string, path: string, title: string): void {
  // A failure is ignored, because a page view must never disturb the person.
  void fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ path, title }),
    keepalive: true,
    credentials: 'omit',
  }).catch(() => {})
}

/** Sends GA4's measurement protocol as its own script does; no third-party script runs in our page. */
function sendToGoogle(measurementId: string, path: string, title: string): void {
  const address = new URL('https://www.google-analytics.com/g/collect')
  address.search = new URLSearchParams({
    v: '2',
    tid: measurementId,
    cid: visitId,
    en: 'page_view',
    dl: location.origin + path,
    dt: title,
    ul: 'ja',
  }).toString()
  void fetch(address, { method: 'POST', mode: 'no-cors', keepalive: true, credentials: 'omit' }).catch(() => {})
}

/** Identifies the visit for as long as the page lives; people are not tracked. */
const visitId = `${crypto.getRandomValues(new Uint32Array(1))[0]}.${Math.floor(performance.timeOrigin / 1000)}`
