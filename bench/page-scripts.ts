/**
 * Scripts that run inside the page, as text, because types of browser and Node conflict in one program. `Watched` is
 * what they record.
 */
export interface Watched {
  readonly lcp: number
  readonly cls: number
  /** Longest task over 50 ms, in milliseconds; 0: none. */
  readonly longest: number
  /** Durations of interaction events until the next paint; the browser does not report those under 16 ms. */
  readonly events: readonly number[]
}

export const WATCH_PAGE = `
  const watched = (window.watched = { lcp: 0, cls: 0, longest: 0, events: [] })
  const watch = (type, more, read) =>
    new PerformanceObserver(list => list.getEntries().forEach(read)).observe({ type, buffered: true, ...more })
  watch('largest-contentful-paint', {}, entry => { watched.lcp = entry.startTime })
  watch('layout-shift', {}, entry => { if (!entry.hadRecentInput) watched.cls += entry.value })
  watch('longtask', {}, entry => { watched.longest = Math.max(watched.longest, entry.duration) })
  watch('event', { durationThreshold: 16 }, entry => { if (entry.interactionId > 0) watched.events.push(entry.duration) })
`

/** Milliseconds from navigation to the first frame in which a table has this many rows. */
export const rowsReady = (rows: number) => `new Promise(resolve => {
  const look = () =>
    document.querySelectorAll('tbody tr:not([data-spacer])').length >= ${rows} ? resolve(performance.now()) : requestAnimationFrame(look)
  look()
})`

/** Milliseconds from navigation to the first frame that shows more than the loading screen. */
export const SCREEN_PAINTED = `new Promise(resolve => {
  const seen = list => list.getEntries().forEach(({ size, startTime }) => size > 2000 && resolve(startTime))
  new PerformanceObserver(seen).observe({ type: 'largest-contentful-paint', buffered: true })
})`

/** Milliseconds from navigation, in order. */
export interface Moments {
  readonly 'the document is there': number
  readonly 'the code that asks who is signed in is there': number
  readonly 'the code of the screen is there': number
  readonly 'the session is known': number
  readonly 'the first question is sent': number
  readonly 'what the screen needs is answered': number
  readonly 'the screen is there': number
}

export const momentsUntil = (shown: number) => `(() => {
  const files = performance.getEntriesByType('resource').filter(({ responseEnd }) => responseEnd <= ${shown})
  const last = (part, from = 0) => Math.max(...files.filter(({ name, startTime }) => name.includes(part) && startTime >= from).map(({ responseEnd }) => responseEnd))
  const token = last('/oidc/token')
  return {
    'the document is there': performance.getEntriesByType('navigation')[0].responseEnd,
    'the code that asks who is signed in is there': last('/assets/index-'),
    'the code of the screen is there': last('/assets/application-'),
    'the session is known': token,
    'the first question is sent': Math.min(...files.filter(({ name, startTime }) => name.endsWith('/query') && startTime >= token).map(({ startTime }) => startTime)),
    'what the screen needs is answered': last('/query', token),
    'the screen is there': ${shown},
  }
})()`

export const READ_WATCHED = 'window.watched'
export const FORGET_WATCHED = 'void Object.assign(window.watched, { longest: 0, events: [] })'
export const NEXT_PAINTS = 'new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 300)))'

/**
 * Scrolls with a fast wheel for three seconds, then drags the scrollbar to the end in one second; returns the times
 * between frames.
 */
export const SCROLL_THROUGH = `new Promise(resolve => {
  const place = document.querySelector('section[data-scrolls]')
  const frames = []
  const started = performance.now()
  let last = started
  const step = () => {
    const now = performance.now()
    frames.push(now - last)
    last = now
    const passed = now - started
    if (passed < 3000) place.scrollTop += 180
    else if (passed < 4000) place.scrollTop = place.scrollHeight * ((passed - 3000) / 1000)
    else return resolve(frames)
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`
