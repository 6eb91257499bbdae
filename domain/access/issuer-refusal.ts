/**
 * Why the genuine token of an external issuer opens nothing. A person reads the text of it in
 * `features/sign-in/web/refused-view.tsx`, whose address ends with it.
 */
export const ISSUER_REFUSALS = ['not-registered', 'disabled', 'signed-out', 'second-factor-missing'] as const
export type IssuerRefusal = (typeof ISSUER_REFUSALS)[number]
