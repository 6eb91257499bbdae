import { CombinedGraphQLErrors, ServerError, ServerParseError } from '@apollo/client/errors'
import { SessionExpired } from '../session/session.ts'
import type { Toast } from './toasts.tsx'
import { isTooLarge, TOO_LARGE } from './too-large-request.ts'

/** What the page does about a failed call. Every failure is still raised to its caller. */
export type FailureResponse =
  | { readonly kind: 'toast'; readonly toast: Toast; readonly isLogged: boolean }
  /** The alert 権限がありません; then the person is signed out and sent to the sign-in screen. */
  | { readonly kind: 'no-access' }
  /** The API does not know the session any more: renew it, or go to the sign-in screen. */
  | { readonly kind: 'session-expired' }
  | { readonly kind: 'none' }

/** The startup query whose refusal means that this person may not be here at all. */
const POLICY_OPERATION = 'ViewerPolicies'
/** The startup query that people without insight rights are refused: they have no agreements, which is no error. */
const AGREEMENTS_OPERATION = 'ViewerAgreements'

export const NO_ACCESS = '権限がありません'

/** The complete error catalogue: one failed call in, what to do about it out. */
export function respondToFailure(error: unknown, operationName: string | undefined): readonly FailureResponse[] {
  if (CombinedGraphQLErrors.is(error)) {
    return error.errors.map(each => respondToCode(each.extensions, each.message, operationName))
  }
  return [respondToTransport(error)]
}

function readCode(extensions: Record<string, unknown> | undefined): string {
  return typeof extensions?.code === 'string' ? extensions.code.toUpperCase() : ''
}

function respondToCode(
  extensions: Record<string, unknown> | undefined,
  message: string,
  operationName: string | undefined,
): FailureResponse {
  switch (readCode(extensions)) {
    case 'BAD_REQUEST':
      // Others were quicker: nothing was wrong with what was sent, and the server's own words say what to do.
      return toast('warning', extensions?.isConflict ? message : `リクエストが不正です: ${message}`)
    case 'INTERNAL_SERVER_ERROR':
      return toast('error', `サーバーエラーが発生しました: ${message}`, { isLogged: true })
    case 'FORBIDDEN':
      if (operationName === AGREEMENTS_OPERATION) return { kind: 'none' }
      return operationName === POLICY_OPERATION
        ? { kind: 'no-access' }
        : toast('warning', `${NO_ACCESS}: ${message}`, { isLogged: true })
    case 'UNAUTHENTICATED':
      return { kind: 'session-expired' }
    default:
      // Never silent, and never more than the server's own masked text.
      return toast('error', `エラーが発生しました: ${message}`, { isLogged: true })
  }
}

/** No GraphQL answer came back: warning 通信エラー, with the reason below it where the transport names one. */
function respondToTransport(error: unknown): FailureResponse {
  if (isAborted(error)) return { kind: 'none' }
  if (isSessionExpired(error)) return { kind: 'session-expired' }
  if (isTooLarge(error)) return toast('warning', TOO_LARGE)
  const detail = readTransportDetail(error)
  return toast('warning', '通信エラー', detail === undefined ? {} : { detail })
}

function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

export function isSessionExpired(error: unknown): boolean {
  return error instanceof SessionExpired || (ServerError.is(error) && error.statusCode === 401)
}

function readTransportDetail(error: unknown): string | undefined {
  // Apollo's own text: 'Response not successful: Received status code {n}'.
  if (ServerError.is(error)) return error.message
  if (ServerParseError.is(error)) return 'サーバーの応答を読み取れませんでした'
  return error instanceof Error && error.message.startsWith('Server response was missing') ? error.message : undefined
}

function toast(
  tone: Toast['tone'],
  message: string,
  more: { detail?: string; isLogged?: boolean } = {},
): FailureResponse {
  const { detail, isLogged = false } = more
  return { kind: 'toast', toast: detail === undefined ? { tone, message } : { tone, message, detail }, isLogged }
}
