import { until } from '@pc/testing/until.ts'
import type { Download, Page } from 'playwright-core'

/** Returns the focused control by its accessible name, and the group that contains it. */
const FOCUSED = `(() => {
  const one = document.activeElement
  if (!one || one === document.body) return { name: '', place: '' }
  const label = one.labels?.[0]?.textContent ?? ''
  const name = one.ariaLabel || label || one.textContent || ''
  const around = one.parentElement?.closest('[aria-label], dialog')
  const place = around?.ariaLabel || around?.querySelector('h2')?.textContent || ''
  return { name: name.trim(), place: place.trim(), value: one.value ?? '', chosen: one.selectedOptions?.[0]?.textContent ?? '' }
})()`

interface Focused {
  readonly name: string
  /** Label of the group, list or dialog around it. */
  readonly place: string
  /** The selected option of a select. */
  readonly chosen?: string
}

export const focusedOn = (page: Page) => page.evaluate(FOCUSED) as Promise<Focused>

/** Far more than the controls of a screen or the options of a select, so that a test ends when one is missing. */
const MAX_STEPS = 400
const MAX_OPTIONS = 60

/**
 * Presses Tab until the control has the focus; fails with the names that it passed.
 * @param place label of the group that contains the control
 */
export async function tabTo(page: Page, name: RegExp, place = /(?:)/): Promise<void> {
  const passed: string[] = []
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const at = await focusedOn(page)
    if (name.test(at.name) && place.test(at.place)) return
    passed.push(`${at.name.slice(0, 24)} [${at.place.slice(0, 16)}]`)
    await page.keyboard.press('Tab')
  }
  throw new Error(
    `Tab does not come to ${name} in ${place}; it went by ${[...new Set(passed)].slice(0, 80).join(' | ')}`,
  )
}

/** Moves to the control by Tab and presses Enter. */
export async function pressOn(page: Page, name: RegExp, place?: RegExp): Promise<void> {
  await tabTo(page, name, place)
  await page.keyboard.press('Enter')
}

const OPTION_TEXTS = `[...(document.activeElement?.options ?? [])].map(option => option.text)`

/** Presses the arrow key in the focused select until the option is chosen; waits for the option to exist. */
export async function chooseByArrows(page: Page, option: RegExp): Promise<void> {
  await until(async () => {
    const texts = (await page.evaluate(OPTION_TEXTS)) as readonly string[]
    return texts.some(text => option.test(text)) || undefined
  })
  await page.keyboard.press('Home')
  for (let step = 0; step < MAX_OPTIONS; step += 1) {
    const { chosen = '' } = await focusedOn(page)
    if (option.test(chosen)) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`no option ${option}`)
}

/** Opens a screen with the command palette. */
export async function goByPalette(page: Page, screen: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^画面・/ }).waitFor()
  await page.keyboard.type(screen)
  await page.getByRole('option', { name: screen, exact: true, selected: true }).waitFor()
  await page.keyboard.press('Enter')
}

/** The file that the browser downloads while `work` runs. */
export async function savedBy(page: Page, work: () => Promise<void>): Promise<{ name: string; content: Buffer }> {
  const saved = page.waitForEvent('download', { timeout: 60_000 })
  await work()
  const download: Download = await saved
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  return { name: download.suggestedFilename(), content: Buffer.concat(chunks) }
}

/** Returns a counter of pointer presses that the page has received since it was loaded. */
export async function watchPointer(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(`addEventListener('pointerdown', event => {
    if (event.isTrusted) sessionStorage.setItem('pointer', Number(sessionStorage.getItem('pointer') ?? 0) + 1)
  }, true)`)
  return () => page.evaluate(`Number(sessionStorage.getItem('pointer') ?? 0)`) as Promise<number>
}
