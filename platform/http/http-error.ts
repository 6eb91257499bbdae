import { type HttpProblemCode, httpProblemJa } from './http-problems.ja.ts'

/** Thrown by a handler to answer with an error status. The message is shown to the caller. */
export class HttpError extends Error {
  override name = 'HttpError'
  readonly status: number
  readonly code: HttpProblemCode
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: HttpProblemCode,
    more: {
      readonly data?: Readonly<Record<string, string | number>>
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ) {
    super(httpProblemJa(code, more.data))
    this.status = status
    this.code = code
    this.headers = more.headers ?? {}
  }
}
