/** A row of a list, in a table or not. */
const ROW = 'tr, li'
/** Regions that have a heading of their own. */
const PLACE = 'section, [role="region"], dialog, main'
const HEADING = 'h1, h2, h3'
/** The element that a region marks as the next step. */
const NEXT = '[data-goes-on]'

interface Row {
  readonly element: Element
  readonly index: number
  readonly listTag: string
}
interface Focused {
  readonly element: Element
  /**
   * The focused element and its ancestors, inside out. Kept because a removed element no longer knows where it was.
   */
  readonly around: readonly Element[]
  readonly row: Row | undefined
  readonly address: string
}

/** The last focused element of the page, and of a dialog over it. */
let onPage: Focused | undefined
let inDialog: Focused | undefined
let isKept = false

/**
 * Restores the focus after an action has removed the pressed button; the browser would start again at the top of the
 * page. The focus goes to the button's row, to the row that took its place, or to the region's next step
 * (`data-goes-on`), otherwise to its heading. Installed once for the whole page, so it works for every list.
 */
export function keepFocus(): void {
  if (isKept) return
  isKept = true
  noteFocus(document.activeElement)
  document.addEventListener('focusin', ({ target }) => noteFocus(target as Element))
  // A click on nothing gives the focus up on purpose.
  document.addEventListener('pointerdown', ({ target }) => {
    if (!(target as Element).closest('dialog')) onPage = undefined
  })
  new MutationObserver(() => {
    if (isGone(inDialog) || isGone(onPage)) restoreFocus()
  }).observe(document.body, { childList: true, subtree: true })
}

const isGone = (focused: Focused | undefined) => focused !== undefined && !focused.element.isConnected

function noteFocus(element: Element | null): void {
  if (element === null || element === document.body) return
  const around: Element[] = []
  for (let each: Element | null = element; each; each = each.parentElement) around.push(each)
  const focused: Focused = { element, around, row: rowAmong(around), address: location.hash }
  if (element.closest('dialog')) inDialog = focused
  else {
    onPage = focused
    inDialog = undefined
  }
}

/** The outermost row, because a row may contain a list of actions. */
function rowAmong(around: readonly Element[]): Row | undefined {
  const end = around.findIndex(each => each.matches(PLACE))
  const element = around.slice(0, end === -1 ? undefined : end).findLast(each => each.matches(ROW))
  const list = element?.parentElement
  return element && list ? { element, index: [...list.children].indexOf(element), listTag: list.tagName } : undefined
}

function restoreFocus(): void {
  const lost = [inDialog, onPage].filter(focused => focused && isGone(focused))
  if (isGone(inDialog)) inDialog = undefined
  if (isGone(onPage)) onPage = undefined
  // Another element has taken the focus, or a closed dialog has returned it.
  if (document.activeElement !== document.body && document.activeElement !== null) return
  for (const focused of lost) {
    const next = focused && placeOf(focused)
    if (!next) continue
    if (!next.hasAttribute('tabindex')) next.tabIndex = -1
    next.focus({ preventScroll: true })
    return
  }
}

function placeOf({ around, row, address }: Focused): HTMLElement | undefined {
  if (row?.element.isConnected) return row.element as HTMLElement
  for (const left of around.filter(each => each.isConnected && each !== document.body)) {
    const isScreen = left.matches('main')
    // Another screen sets its own focus.
    if (isScreen && location.hash !== address) return undefined
    const rows = row && !isScreen ? rowsIn(left, row) : []
    const place = rows[Math.min(row?.index ?? 0, rows.length - 1)] ?? (left.matches(PLACE) && beginningOf(left))
    if (place) return place
  }
  return undefined
}

function rowsIn(place: Element, { element, listTag }: Row): HTMLElement[] {
  return [...place.querySelectorAll<HTMLElement>(element.tagName)].filter(
    each => each.parentElement?.tagName === listTag,
  )
}

function beginningOf(place: Element): HTMLElement | null {
  return place.querySelector<HTMLElement>(NEXT) ?? place.querySelector<HTMLElement>(HEADING)
}
