/** Addresses of signing in, shared by the server, the sign-in application and the console. */

/** Where the sign-in application lives. Its routes are hash routes. */
export const SSO_PATH = '/sso'

/**
 * Where the identity provider sends the browser back to with a code, for every application that is its client.
 * The console processes them with oidc-client-ts; the silent one runs in a hidden frame of the same origin.
 */
export const CONSOLE_CALLBACK_PATH = '/gpc/callback'
export const CONSOLE_SILENT_CALLBACK_PATH = '/gpc/silent-callback'
export const IAM_CALLBACK_PATH = '/iam/callback'
export const IAM_SILENT_CALLBACK_PATH = '/iam/silent-callback'

/** Marks a sign-in by which an account is bound; it ends at {@link BINDING_HREF} instead of the console. */
export const BINDING_STATE = 'bind'
export const BINDING_HREF = `${SSO_PATH}#/bind`

/** Where the browser may be sent after signing out. */
export const SIGNED_OUT_PATHS = ['/sso', '/gpc/', '/iam/'] as const

/** The sign-in screen; afterwards the browser goes to `originalPath`: the address without its origin. */
export function signInHref(originalPath?: string): string {
  return originalPath === undefined ? `${SSO_PATH}#/signin` : `${SSO_PATH}#/signin/${encodeURIComponent(originalPath)}`
}

export const CHANGE_EMAIL_HREF = `${SSO_PATH}#/change-email`
export const CHANGE_PASSWORD_HREF = `${SSO_PATH}#/change-pass`
export const FORGOT_PASSWORD_HREF = `${SSO_PATH}#/forgot-pass`
export const SECURITY_HREF = `${SSO_PATH}#/security`
export const SESSIONS_HREF = `${SSO_PATH}#/sessions`
export const SIGN_OUT_HREF = `${SSO_PATH}#/signout`

/** The screen where a second factor that the roles need is set up; afterwards the browser goes to `originalPath`. */
export function enrolmentHref(originalPath: string): string {
  return `${SSO_PATH}#/second-factor/${encodeURIComponent(originalPath)}`
}

/** The screen that confirms a new e-mail address with the secret of the link that was mailed there. */
export function confirmEmailHref(secret: string): string {
  return `${CHANGE_EMAIL_HREF}/${secret}`
}

/** The screen where a person agrees to a change of the own account, or objects to it. */
export function accountChangeHref(secret: string): string {
  return `${SSO_PATH}#/account-change/${secret}`
}

/** The screen where somebody who was invited chooses a password. */
export function acceptInvitationHref(secret: string): string {
  return `${SSO_PATH}#/invite/${secret}`
}

/** The screen where a new password is chosen with the secret of the link that was mailed. */
export function resetPasswordHref(secret: string): string {
  return `${SSO_PATH}#/reset-pass/${secret}`
}

/** The one-time screen that makes the first administrator of an empty system. */
export function firstAdminHref(secret: string): string {
  return `${SSO_PATH}#/first-admin/${secret}`
}
