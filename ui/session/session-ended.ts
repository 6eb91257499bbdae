/** Heard by the window when a session has expired, before the page is left for the sign-in screen. */
export const SESSION_ENDED = 'publisher-center-session-ended'

/** Calls `keep` when the session has ended and the page is about to be left. @returns ends it */
export function onSessionEnded(keep: () => void): () => void {
  window.addEventListener(SESSION_ENDED, keep)
  return () => window.removeEventListener(SESSION_ENDED, keep)
}

/**
 * Heard in the window before it is somebody else's: at a sign-out, here or in another tab, and when an impersonation begins.
 * What this browser keeps of the person goes.
 */
export const PERSON_LEAVES = 'person-leaves'

/** Between the tabs of a browser: {@link SIGNED_OUT} before the provider ends the session, {@link SESSION_CHANGED} when it has. */
export const SIGNED_OUT = 'signed-out'
export const SESSION_CHANNEL = 'publisher-center-session'
export const SESSION_CHANGED = 'session-changed'
