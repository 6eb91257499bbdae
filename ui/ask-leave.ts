import type { RuntimeConfig } from './runtime-config.ts'

/**
 * Before a browser calls an API on another origin it asks there whether it may (the preflight of CORS). Asking the APIs for
 * their options makes it ask while the person is still being signed in, and it keeps the answer for two hours: the first
 * questions leave a round trip earlier. Nothing depends on it: without an answer the browser asks again with each of them.
 */
export function askLeave(config: Pick<RuntimeConfig, 'insightApiOrigin' | 'iamApiOrigin'>): void {
  for (const origin of new Set([config.insightApiOrigin, config.iamApiOrigin])) {
    if (origin !== location.origin)
      fetch(`${origin}/query`, { method: 'OPTIONS', credentials: 'include' }).catch(() => {})
  }
}
