/** A row of a list, however it is drawn. */
const ROW = 'tr, li'
/** What has a heading of its own. */
const PLACE = 'section, [role="region"], dialog, main'
const HEADING = 'h1, h2, h3'
/** What a place says itself that its people go on with. */
const NEXT = '[data-goes-on]'

interface Row {
  readonly element: Element
  readonly index: number
  readonly listTag: string
}
interface Focused {
  readonly element: Element
  /** From the inside outwards, the element first: once it is taken out, nothing tells any more where it stood. */
  readonly around: readonly Element[]
  readonly row: Row | undefined
  readonly address: string
}

/** What had the focus last, on the page and in a dialog over it. */
let onPage: Focused | undefined
let inDialog: Focused | undefined
let isKept = false

/**
 * Who deletes, approves or withdraws something often takes the pressed button away with it, and the browser then begins at
 * the top of the page. Instead the focus goes to the row that the button stood in, to the one that took its place, or to what
 * the place says that comes next (`data-goes-on`), else its heading. Once for the whole page, whichever part of it draws the list.
 */
export function keepFocus(): void {
  if (isKept) return
  isKept = true
  note(document.activeElement)
  document.addEventListener('focusin', ({ target }) => note(target as Element))
  // Who presses on nothing has put the focus away.
  document.addEventListener('pointerdown', ({ target }) => {
    if (!(target as Element).closest('dialog')) onPage = undefined
  })
  new MutationObserver(() => {
    if (isGone(inDialog) || isGone(onPage)) restore()
  }).observe(document.body, { childList: true, subtree: true })
}

const isGone = (focused: Focused | undefined) => focused !== undefined && !focused.element.isConnected

function note(element: Element | null): void {
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

/** The outermost one: there may be a list of actions in it. */
function rowAmong(around: readonly Element[]): Row | undefined {
  const end = around.findIndex(each => each.matches(PLACE))
  const element = around.slice(0, end === -1 ? undefined : end).findLast(each => each.matches(ROW))
  const list = element?.parentElement
  return element && list ? { element, index: [...list.children].indexOf(element), listTag: list.tagName } : undefined
}

function restore(): void {
  const lost = [inDialog, onPage].filter(focused => focused && isGone(focused))
  if (isGone(inDialog)) inDialog = undefined
  if (isGone(onPage)) onPage = undefined
  // Something else has taken it, or the window of a question gave it back.
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
