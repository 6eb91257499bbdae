/**
 * What was entered in a form when the session ended by itself: kept in this tab until the same person has signed in again
 * and stands before the same form. Nothing is kept of somebody who signed out.
 */
interface KeptInput {
  readonly personId: string
  /** The address of the form. */
  readonly place: string
  readonly keptAt: number
  /** Of the record that was edited. */
  readonly revision: number | undefined
  readonly values: Readonly<Record<string, unknown>>
}

const KEY = 'publisher-center-input'
const LONGEST_MS = 30 * 60_000

/** @returns whether it was kept */
export function keepInput(input: Omit<KeptInput, 'keptAt' | 'place'>): boolean {
  try {
    const kept: KeptInput = { ...input, place: location.hash, keptAt: Date.now() }
    sessionStorage.setItem(KEY, JSON.stringify(kept))
    return true
  } catch {
    // No room, or not allowed: the browser asks before it leaves the page.
    return false
  }
}

/** Gives it back once, to its person and its form. */
export function takeKeptInput(personId: string): Pick<KeptInput, 'values' | 'revision'> | undefined {
  try {
    const text = sessionStorage.getItem(KEY)
    if (text === null) return undefined
    const kept = JSON.parse(text) as KeptInput
    const isOwn = kept.personId === personId && Date.now() - kept.keptAt < LONGEST_MS
    // Somebody else's, or too old: gone. The own one waits for its form.
    if (!isOwn || kept.place === location.hash) sessionStorage.removeItem(KEY)
    return isOwn && kept.place === location.hash ? kept : undefined
  } catch {
    return undefined
  }
}
