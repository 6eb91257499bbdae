import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '@pc/platform/clock.ts'
import { openSafeFetch, type SafeFetch } from '@pc/platform/http/safe-fetch.ts'
import { DEMO_FEEDS, demoFeedAnswer } from '../../../demo/demo-feeds.ts'

const LOOPBACK = '127.0.0.1'

export interface DemoFeedSites {
  readonly fetch: SafeFetch
  /** Whether a host is one of the demonstration's own sites. */
  readonly serves: (host: string) => boolean
  close(): void
}

/**
 * Serves the feeds of the demonstration on a loopback listener. Only the invented host names of {@link DEMO_FEEDS} are
 * fetched from there, without redirects; everything else goes to `others`, so the protection of internal addresses
 * stays in force.
 */
export function openDemoFeedSites(clock: Clock, others: SafeFetch): DemoFeedSites {
  const server = http.createServer((request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '')
    const { status, body } = demoFeedAnswer(host, request.url ?? '', clock)
    response.writeHead(status, { 'content-type': 'application/rss+xml; charset=utf-8' }).end(body)
  })
  let opening: Promise<number> | undefined
  const open = async () => {
    server.unref().listen(0, LOOPBACK)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const serves = (host: string) => DEMO_FEEDS.some(feed => feed.host === host)
  return {
    serves,
    async fetch(address, request) {
      const url = URL.canParse(address) ? new URL(address) : undefined
      if (url?.protocol !== 'https:' || url.port !== '' || !serves(url.hostname)) return others(address, request)
      opening ??= open()
      const port = await opening
      const fetchHere = openSafeFetch({
        resolve: async () => [LOOPBACK],
        isAllowedAddress: each => each === LOOPBACK,
        allowedPorts: [port],
        maxRedirects: 0,
      })
      const outcome = await fetchHere(`http://${url.hostname}:${port}${url.pathname}`, request)
      return outcome.ok ? { ok: true, document: { ...outcome.document, url: url.href } } : outcome
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
