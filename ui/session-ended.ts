/** Heard by the window when a session has ended by itself, before the page is left for the sign-in screen. */
export const SESSION_ENDED = 'publisher-center-session-ended'
