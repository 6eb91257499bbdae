import type { Page } from 'playwright-core'

/** Marks the controls that a mouse could use. A group of radio buttons and a grid have one stop each. */
const MARK = `(() => {
  const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]:not([tabindex="-1"])'
  let count = 0
  const groups = new Map()
  for (const one of document.querySelectorAll(controls)) {
    delete one.dataset.stop
    if (one.disabled || one.tabIndex < 0 || one.closest('[inert], [hidden]') || !one.checkVisibility({ visibilityProperty: true })) continue
    const group = one.type === 'radio' ? one.name : undefined
    if (group !== undefined && groups.has(group)) { one.dataset.stop = groups.get(group); continue }
    one.dataset.stop = String(count)
    if (group !== undefined) groups.set(group, String(count))
    count += 1
  }
  document.body.focus()
  document.activeElement?.blur?.()
  return count
})()`

/** Returns the mark and name of the focused control, and whether its focus is visible. */
const FOCUSED = `(() => {
  const one = document.activeElement
  if (!one || one === document.body) return null
  const style = getComputedStyle(one)
  const seenOn = element => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
  }
  const box = one.getBoundingClientRect()
  const around = [one, one.parentElement, one.nextElementSibling, one.closest('label')].filter(Boolean)
  return {
    stop: one.dataset.stop ?? null,
    name: one.tagName.toLowerCase() + ' "' + (one.ariaLabel || one.textContent || one.name || '').trim().slice(0, 40) + '"',
    isVisible: around.some(seenOn) && box.bottom > 0 && box.top < innerHeight + 1,
  }
})()`

const UNREACHED = (reached: readonly string[]) => `(() => {
  const reached = new Set(${JSON.stringify(reached)})
  return [...document.querySelectorAll('[data-stop]')]
    .filter(one => !reached.has(one.dataset.stop))
    .map(one => one.outerHTML.slice(0, 160))
})()`

export interface KeyboardWalk {
  /** Controls that Tab reached. */
  readonly stops: number
  /** Controls that were never reached, invisible focus, and focus that cannot move on. */
  readonly problems: readonly string[]
}

/** Walks through the open page with Tab alone, from the beginning until every control has had the focus. */
export async function walkByKeyboard(page: Page): Promise<KeyboardWalk> {
  const count = (await page.evaluate(MARK)) as number
  const reached = new Set<string>()
  const problems = new Set<string>()
  let last = ''
  let stays = 0
  for (let press = 0; press < 2 * count + 20 && reached.size < count; press += 1) {
    await page.keyboard.press('Tab')
    const at = (await page.evaluate(FOCUSED)) as { stop: string | null; name: string; isVisible: boolean } | null
    if (at === null) continue
    stays = at.stop !== null && at.stop === last ? stays + 1 : 0
    last = at.stop ?? ''
    if (stays > 3) problems.add(`Tab does not leave ${at.name}`)
    if (at.stop !== null && !reached.has(at.stop) && !at.isVisible)
      problems.add(`the focus cannot be seen on ${at.name}`)
    if (at.stop !== null) reached.add(at.stop)
  }
  for (const control of (await page.evaluate(UNREACHED([...reached]))) as string[])
    problems.add(`Tab never reached ${control}`)
  return { stops: reached.size, problems: [...problems] }
}
