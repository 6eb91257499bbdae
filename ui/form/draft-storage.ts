/**
 * What was entered in a form or dialog when the session expired. It is kept in this tab until the same person has
 * signed in again and opens the same form. Nothing is kept after a sign-out.
 */
interface Draft {
  readonly personId: string
  /** The address of the form. */
  readonly place: string
  /** The dialog at that address, and its record; undefined: the form itself. */
  readonly dialog?: string | undefined
  readonly keptAt: number
  /** Revision of the edited record; undefined for a new one. */
  readonly revision: number | undefined
  readonly values: Readonly<Record<string, unknown>>
}

const KEY = 'publisher-center-input'
/** Older drafts are deleted. */
const MAX_AGE_MS = 30 * 60_000

/** Shown when a draft has been restored. */
export const RESTORED = 'サインインの期限が切れる前に入力していた内容を戻しました。まだ保存されていません。'

/** @returns whether it was stored */
export function saveDraft(input: Omit<Draft, 'keptAt' | 'place'>): boolean {
  try {
    const draft: Draft = { ...input, place: location.hash, keptAt: Date.now() }
    write([...read().filter(other => !isOfSamePlace(other, draft)), draft])
    return true
  } catch {
    // Storage is full or not allowed; the browser then asks before leaving the page.
    return false
  }
}

/** Returns a draft once, to its person and its form or dialog. */
export function takeDraft(personId: string, dialog?: string): Pick<Draft, 'values' | 'revision'> | undefined {
  try {
    // Drafts of others and old ones are deleted; own ones for other places stay.
    const own = read().filter(draft => draft.personId === personId && Date.now() - draft.keptAt < MAX_AGE_MS)
    const here = own.find(draft => isOfSamePlace(draft, { place: location.hash, dialog }))
    write(own.filter(draft => draft !== here))
    return here
  } catch {
    return undefined
  }
}

function isOfSamePlace(a: Pick<Draft, 'place' | 'dialog'>, b: Pick<Draft, 'place' | 'dialog'>): boolean {
  return a.place === b.place && a.dialog === b.dialog
}

function read(): readonly Draft[] {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as readonly Draft[]
}

function write(drafts: readonly Draft[]): void {
  if (drafts.length === 0) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, JSON.stringify(drafts))
}
