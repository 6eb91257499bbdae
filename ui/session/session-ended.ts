/** Event of the window: the session has expired, and the page is about to be left for the sign-in screen. */
export const SESSION_ENDED = 'publisher-center-session-ended'

/**
 * Calls `keep` when the session has ended and the page is about to be left.
 * @returns a function that stops listening
 */
export function onSessionEnded(keep: () => void): () => void {
  window.addEventListener(SESSION_ENDED, keep)
  return () => window.removeEventListener(SESSION_ENDED, keep)
}

/**
 * Event of the window before another person uses it: on a sign-out, here or in another tab, and when an impersonation
 * begins. What stores something about the person in this browser listens and deletes it.
 */
export const PERSON_LEAVES = 'person-leaves'

/**
 * Messages between tabs: {@link SIGNED_OUT} before the provider ends the session, {@link SESSION_CHANGED} afterwards.
 */
export const SIGNED_OUT = 'signed-out'
export const SESSION_CHANNEL = 'publisher-center-session'
export const SESSION_CHANGED = 'session-changed'
