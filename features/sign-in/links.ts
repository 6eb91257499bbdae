/** Addresses of the sign-in screens, shared by the server, the sign-in application and the console. */

/** Path of the sign-in application, which uses hash routes. */
export const SSO_PATH = '/sso'

/**
 * Redirect URIs at which the identity provider returns the browser with a code, for each client application.
 * oidc-client-ts processes them; the silent ones run in a hidden frame of the same origin.
 */
export const CONSOLE_CALLBACK_PATH = '/gpc/callback'
export const CONSOLE_SILENT_CALLBACK_PATH = '/gpc/silent-callback'
export const IAM_CALLBACK_PATH = '/iam/callback'
export const IAM_SILENT_CALLBACK_PATH = '/iam/silent-callback'

/** State of a sign-in that binds an account. It ends at {@link BINDING_HREF} instead of the console. */
export const BINDING_STATE = 'bind'
export const BINDING_HREF = `${SSO_PATH}#/bind`

/** Paths to which the browser may be redirected after signing out. */
export const SIGNED_OUT_PATHS = ['/sso', '/gpc/', '/iam/'] as const

/** The sign-in screen. Afterwards the browser goes to `originalPath`, an address without its origin. */
export function signInHref(originalPath?: string): string {
  return originalPath === undefined ? `${SSO_PATH}#/signin` : `${SSO_PATH}#/signin/${encodeURIComponent(originalPath)}`
}

export const CHANGE_EMAIL_HREF = `${SSO_PATH}#/change-email`
export const CHANGE_PASSWORD_HREF = `${SSO_PATH}#/change-pass`
export const FORGOT_PASSWORD_HREF = `${SSO_PATH}#/forgot-pass`
export const SECURITY_HREF = `${SSO_PATH}#/security`
export const SESSIONS_HREF = `${SSO_PATH}#/sessions`
export const SIGN_OUT_HREF = `${SSO_PATH}#/signout`

/** The screen on which a required second factor is set up. Afterwards the browser goes to `originalPath`. */
export function enrolmentHref(originalPath: string): string {
  return `${SSO_PATH}#/second-factor/${encodeURIComponent(originalPath)}`
}

/** The screen that confirms a new email address, with the secret of the emailed link. */
export function confirmEmailHref(secret: string): string {
  return `${CHANGE_EMAIL_HREF}/${secret}`
}

/** The screen on which a person agrees or objects to a change of their account. */
export function accountChangeHref(secret: string): string {
  return `${SSO_PATH}#/account-change/${secret}`
}

/** The screen on which an invited person chooses a password. */
export function acceptInvitationHref(secret: string): string {
  return `${SSO_PATH}#/invite/${secret}`
}

/** The screen for a new password, with the secret of the emailed link. */
export function resetPasswordHref(secret: string): string {
  return `${SSO_PATH}#/reset-pass/${secret}`
}

/** The one-time screen that creates the first administrator of an empty system. */
export function firstAdminHref(secret: string): string {
  return `${SSO_PATH}#/first-admin/${secret}`
}
