/**
 * What was entered in a form or dialog when the session ended by itself: kept in this tab until the same person has signed
 * in again and stands before the same one. Nothing is kept of somebody who signed out.
 */
interface KeptInput {
  readonly personId: string
  /** The address of the form. */
  readonly place: string
  /** Which dialog at that address, about which record; undefined: the form itself. */
  readonly dialog?: string | undefined
  readonly keptAt: number
  /** Of the record that was edited. */
  readonly revision: number | undefined
  readonly values: Readonly<Record<string, unknown>>
}

const KEY = 'publisher-center-input'
const MAX_AGE_MS = 30 * 60_000

/** Said when it has been given back. */
export const RESTORED = 'サインインの期限が切れる前に入力していた内容を戻しました。まだ保存されていません。'

/** @returns whether it was kept */
export function keepInput(input: Omit<KeptInput, 'keptAt' | 'place'>): boolean {
  try {
    const kept: KeptInput = { ...input, place: location.hash, keptAt: Date.now() }
    write([...read().filter(other => !isOfSamePlace(other, kept)), kept])
    return true
  } catch {
    // No room, or not allowed: the browser asks before it leaves the page.
    return false
  }
}

/** Gives it back once, to its person and its form or dialog. */
export function takeKeptInput(personId: string, dialog?: string): Pick<KeptInput, 'values' | 'revision'> | undefined {
  try {
    // Somebody else's, or too old: gone. The own one waits for its place.
    const own = read().filter(kept => kept.personId === personId && Date.now() - kept.keptAt < MAX_AGE_MS)
    const here = own.find(kept => isOfSamePlace(kept, { place: location.hash, dialog }))
    write(own.filter(kept => kept !== here))
    return here
  } catch {
    return undefined
  }
}

function isOfSamePlace(a: Pick<KeptInput, 'place' | 'dialog'>, b: Pick<KeptInput, 'place' | 'dialog'>): boolean {
  return a.place === b.place && a.dialog === b.dialog
}

function read(): readonly KeptInput[] {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as readonly KeptInput[]
}

function write(kept: readonly KeptInput[]): void {
  if (kept.length === 0) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, JSON.stringify(kept))
}
