import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { Log } from '../log.ts'

/** The codes that clients know, beside INTERNAL_SERVER_ERROR. */
const KNOWN_CODES: readonly unknown[] = ['BAD_REQUEST', 'UNAUTHENTICATED', 'FORBIDDEN']

/** A staff-only field is refused once for each row of a list; more errors than this say nothing new. */
const MAX_ERRORS = 100

export interface ErrorEdge {
  readonly requestId: string
  readonly log: Log
  /** The signed-in person, for the log of refusals; null when nobody is signed in. */
  readonly uid: string | null
  /** Id of the API key, when a program sent the request in that person's name. */
  readonly apiKeyId?: bigint | undefined
  readonly sourceAddress: string
}

/**
 * Every error of an answer passes here. Refusals and access errors are sent as they are, errors of GraphQL's own
 * validation become BAD_REQUEST, and everything else is a fault: logged here with details, sent masked.
 */
export function answerErrors(errors: readonly GraphQLError[], edge: ErrorEdge): GraphQLFormattedError[] {
  const answers = errors.slice(0, MAX_ERRORS).map(error => answerError(error, edge))
  logRefusals(answers, edge)
  return answers
}

const ACCESS_CODES: readonly unknown[] = ['UNAUTHENTICATED', 'FORBIDDEN']
const MAX_LOGGED_FIELDS = 10

/**
 * One log line for each request that was denied something (ASVS 16.3.2): who, from where, which fields, but no input. A
 * request for step-up authentication does not count as denied.
 */
function logRefusals(answers: readonly GraphQLFormattedError[], edge: ErrorEdge): void {
  const refused = answers.filter(
    ({ extensions }) => ACCESS_CODES.includes(extensions?.code) && extensions?.needsStepUp !== true,
  )
  if (refused.length === 0) return
  const fields = refused.map(({ path = [] }) => path.filter(step => typeof step === 'string').join('.'))
  const line = {
    event: 'access-refused',
    reason: refused[0]?.extensions?.code,
    uid: edge.uid,
    ...(edge.apiKeyId === undefined ? {} : { apiKeyId: String(edge.apiKeyId) }),
    sourceAddress: edge.sourceAddress,
    requestId: edge.requestId,
    fields: [...new Set(fields)].slice(0, MAX_LOGGED_FIELDS),
    count: refused.length,
  }
  edge.log.info(line, 'access refused')
}

function answerError(error: GraphQLError, edge: ErrorEdge): GraphQLFormattedError {
  const origin = originOf(error)
  const place = {
    ...(error.path ? { path: error.path } : {}),
    ...(error.locations ? { locations: error.locations } : {}),
  }
  if (origin instanceof GraphQLError) {
    if (KNOWN_CODES.includes(origin.extensions.code)) {
      return { message: origin.message, ...place, extensions: { ...origin.extensions } }
    }
    if (isObjectionOfGraphql(error)) return { ...objection(error), ...place }
  }
  edge.log.error({ err: origin, requestId: edge.requestId, path: error.path?.join('.') }, 'fault in a resolver')
  return { ...masked(edge.requestId), ...place }
}

/**
 * What the caller sees of a fault: no details, but the request id, by which the operator finds the log line.
 * Tested by `platform/graphql/answer-query.test.ts`.
 */
export function masked(requestId: string): GraphQLFormattedError {
  return {
    message: `処理中に問題が発生しました。時間をおいてもう一度お試しください。（受付番号：${requestId}）`,
    extensions: { code: 'INTERNAL_SERVER_ERROR', requestId },
  }
}

/**
 * An error of GraphQL's own validation, in Japanese with what to do. The original text, which names the place, is the
 * detail.
 */
function objection({ message, locations }: GraphQLError): GraphQLFormattedError {
  const { reason, text } = objectionOf(message)
  const [at] = locations ?? []
  const where = at && reason !== 'variable-invalid' ? `（${at.line}行目の${at.column}文字目）` : ''
  return {
    message: text.replace('{where}', where),
    extensions: { code: 'BAD_REQUEST', reason, detail: message.slice(0, MAX_DETAIL) },
  }
}
const MAX_DETAIL = 500

function objectionOf(message: string): { readonly reason: string; readonly text: string } {
  const [, variable] = /^Variable "\$(\w{1,60})"/.exec(message) ?? []
  if (variable !== undefined)
    return {
      reason: 'variable-invalid',
      text: `変数「${variable}」の値が正しくありません。型、必須の項目、選べる値をスキーマで確認してください。`,
    }
  if (/more tha[nt] \d+ (tokens|comments)/.test(message))
    return { reason: 'too-long', text: 'クエリが長すぎます。項目を減らすか、分けて送信してください。' }
  if (message.startsWith('Syntax Error'))
    return {
      reason: 'syntax',
      text: 'クエリをGraphQLとして読み取れません{where}。括弧・引用符の対応と綴りを確認してください。',
    }
  return {
    reason: 'query-invalid',
    text: 'クエリがAPIの定義（スキーマ）と合いません{where}。項目名、引数、型を確認してください。',
  }
}

/** The error that a resolver threw; GraphQL wraps it, sometimes more than once. */
export function originOf(error: GraphQLError): unknown {
  let origin: unknown = error
  while (origin instanceof GraphQLError && origin.originalError) origin = origin.originalError
  return origin
}

/**
 * Whether GraphQL itself raised the error. Without a path it was raised before execution; with one, only for argument
 * values that the variables' types could not check.
 */
function isObjectionOfGraphql(error: GraphQLError): boolean {
  return error.path === undefined || /^Argument "/.test(error.message)
}
