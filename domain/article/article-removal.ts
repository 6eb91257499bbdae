import { type Refusal, refusal } from '../refusal.ts'

/** Hours in which a removal can be undone. */
export const UNDO_HOURS = 24
/** In characters. */
const MAX_REASON = 500

/**
 * The end of the undo window, in milliseconds since 1970.
 * @param removedAt milliseconds since 1970
 */
export function undoUntil(removedAt: number): number {
  return removedAt + UNDO_HOURS * 3_600_000
}

/** The reason that is stored when the caller gives none. */
const WITHOUT_REASON = '理由の記入なし'

/**
 * The reason as it is stored, without line breaks, or what is wrong with it.
 * Tested by `features/articles/server/articles-api.test.ts`.
 * @param typed undefined: the caller gives none; a text that is sent must not be empty
 */
export function removalReason(
  typed: string | undefined,
): { readonly reason: string } | { readonly wrong: Refusal<'article/reason-missing' | 'article/reason-too-long'> } {
  if (typed === undefined) return { reason: WITHOUT_REASON }
  const reason = typed.replaceAll(/[\p{Cc}\u{2028}\u{2029}]+/gu, ' ').trim()
  if (reason === '') return { wrong: refusal('article/reason-missing', ['reason']) }
  if ([...reason].length > MAX_REASON)
    return { wrong: refusal('article/reason-too-long', ['reason'], { max: MAX_REASON }) }
  return { reason }
}
