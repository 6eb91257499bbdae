export type ExportFormat = 'csv' | 'csv-cp932' | 'xlsx'

export interface ExportProgress {
  readonly rows: number
  readonly total: number
}

export interface ExportOrder {
  /** A path of the insight API: `/exports/report`, or another that returns a file. */
  readonly path: `/${string}`
  /** Without a format, a file that exists already is returned as it is. */
  readonly body: Readonly<Record<string, unknown>> & { readonly format?: ExportFormat }
}

/** Work that needs the person's token but does not fetch a file of the server. */
export interface SessionOrder<T> {
  readonly withSession: (calls: SessionCalls) => Promise<T>
}

/** The functions for such work; passed to it, so that screens do not load their code. */
export interface SessionCalls {
  readonly insightApiOrigin: string
  /** Sends a request with the token, and once more with a new one if the token was refused. */
  withToken<Answer extends { readonly status: number }>(send: (token: string) => Promise<Answer>): Promise<Answer>
  /** The lines of a JSON Lines response as they arrive. */
  jsonLines<Line>(body: ReadableStream<Uint8Array>): AsyncGenerator<Line>
  /** The error of a failed response, in the server's own words where it has some. */
  refusalOf(response: Response): Promise<Error>
}

/** Why the server refused a file, in its own words. */
export class ExportRefused extends Error {
  override name = 'ExportRefused'
  /** The person must do a step-up; then the same order is repeated. */
  declare readonly needsStepUp?: boolean
}
