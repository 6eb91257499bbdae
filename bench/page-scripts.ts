/** What the bench runs inside the page, as text: the types of the browser and of Node do not meet in one program. */
export interface Watched {
  readonly lcp: number
  readonly cls: number
  /** Of the tasks over 50 ms; 0: there was none. */
  readonly longest: number
  /** Durations of the events of interactions, until the next paint; those under 16 ms are not told. */
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

/** In milliseconds from the navigation: the first frame in which a table has so many rows. */
export const rowsReady = (rows: number) => `new Promise(resolve => {
  const look = () =>
    document.querySelectorAll('tbody tr:not([data-spacer])').length >= ${rows} ? resolve(performance.now()) : requestAnimationFrame(look)
  look()
})`

export const READ_WATCHED = 'window.watched'
export const FORGET_WATCHED = 'void Object.assign(window.watched, { longest: 0, events: [] })'
export const NEXT_PAINTS = 'new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 300)))'

/** Three seconds of a quick wheel, then one of drawing the bar to the end; answers the times between frames. */
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
