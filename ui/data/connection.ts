import type { ApolloClient } from '@apollo/client'
import { ServerError } from '@apollo/client/errors'

/** Attempts to reach the server are this far apart at first, then twice as far each time, up to the longest wait. */
const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 30_000
/** An outage that begins this soon after the last one counts as the same, so its waits keep growing. */
const CALM_MS = 60_000
const HIDE_AFTER_MS = 3_000
/** How often code is loaded again from a server that answers. If it still fails, a new version has replaced it. */
const MAX_LOADS = 2
const TEXT = 'サーバーに接続できません。つながると、自動で読み込みます。'

let waiting: Promise<void> | undefined
let waitMs = FIRST_WAIT_MS
let backAt = Number.NEGATIVE_INFINITY

/** Resolves when the server answers. All callers share one probe with exponential backoff and jitter. */
export function connected(): Promise<void> {
  waiting ??= untilConnected().finally(() => {
    waiting = undefined
  })
  return waiting
}

async function untilConnected(): Promise<void> {
  if (performance.now() - backAt > CALM_MS) waitMs = FIRST_WAIT_MS
  if (!navigator.onLine || waitMs > FIRST_WAIT_MS) showMessage()
  for (;;) {
    await pause(waitMs * (0.5 + Math.random() / 2))
    waitMs = Math.min(MAX_WAIT_MS, waitMs * 2)
    if (await doesServerAnswer()) break
    showMessage()
  }
  backAt = performance.now()
  // Requests that waited are sent only now; if they fail as well, the message stays.
  setTimeout(() => waiting ?? line?.remove(), HIDE_AFTER_MS)
}

/** Waits for the time, or until the device is online again. */
function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  addEventListener('online', () => resolve(), { once: true })
  return promise.finally(() => clearTimeout(timer))
}

async function doesServerAnswer(): Promise<boolean> {
  if (!navigator.onLine) return false
  try {
    const { status } = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' })
    return status < 500
  } catch {
    return false
  }
}

let line: HTMLElement | undefined

function showMessage(): void {
  line ??= document.createElement('p')
  line.className = 'connection-line'
  line.setAttribute('role', 'status')
  document.body.append(line)
  line.textContent = TEXT
}

/** Loads code again after a failure. */
export async function loadAgain<T>(load: () => Promise<T>, reason: unknown): Promise<T> {
  let last = reason
  for (let loads = 0; loads < MAX_LOADS; loads += 1) {
    await connected()
    try {
      await reloadStyles()
      return await load()
    } catch (error) {
      last = error
    }
  }
  if (mayReload()) {
    location.reload()
    return await new Promise<T>(() => {})
  }
  throw last
}

const RELOADED_AT = 'reloadedAt'

/**
 * Whether the page may be reloaded: at most once a minute, and not while something is being entered. A reload is needed
 * because browsers remember a failed module and do not load it again, and because code of an older version is gone.
 */
function mayReload(): boolean {
  const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0)
  if (document.querySelector('form') || Date.now() - last < CALM_MS) return false
  sessionStorage.setItem(RELOADED_AT, String(Date.now()))
  return true
}

/** Loads failed style sheets again, which the loader of code believes to be present. */
async function reloadStyles(): Promise<void> {
  const failed = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(link => !link.sheet)
  await Promise.all(
    failed.map(link => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const again = link.cloneNode() as HTMLLinkElement
      again.addEventListener('load', resolve)
      again.addEventListener('error', reject)
      link.replaceWith(again)
      return promise
    }),
  )
}

/** Repeats failed queries of mounted screens as soon as the server answers. */
export async function refetchFailed(client: ApolloClient, reason: unknown): Promise<void> {
  if (!isLost(reason)) return
  await connected()
  // The error catalogue shows a failure.
  for (const query of client.getObservableQueries('active'))
    if (query.getCurrentResult().error) query.refetch().catch(() => {})
}

/**
 * Whether nothing answered, or a proxy answered for a server that did not. A busy server (429, 503) says itself when to
 * retry.
 */
function isLost(reason: unknown): boolean {
  return reason instanceof TypeError || (ServerError.is(reason) && [502, 504].includes(reason.statusCode))
}
