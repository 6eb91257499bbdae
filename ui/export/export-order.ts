export type ExportFormat = 'csv' | 'csv-cp932' | 'xlsx'

export interface ExportProgress {
  readonly rows: number
  readonly total: number
}

export interface ExportOrder {
  /** Of the insight API: `/exports/report`, or another that answers a file. */
  readonly path: `/${string}`
  /** Without a format: a file that is there already, and comes as it is. */
  readonly body: Readonly<Record<string, unknown>> & { readonly format?: ExportFormat }
}

/** Work that needs the person's token and is no file that the server writes. */
export interface SessionOrder<T> {
  readonly withSession: (calls: SessionCalls) => Promise<T>
}

/** What such work is made of; it comes with the order, so that no screen loads it on its own. */
export interface SessionCalls {
  readonly insightApiOrigin: string
  /** Sends in the person's name, once more where the token was no longer good. */
  withToken<Answer extends { readonly status: number }>(send: (token: string) => Promise<Answer>): Promise<Answer>
  /** What a server says in one JSON text a line, while it says it. */
  jsonLines<Line>(body: ReadableStream<Uint8Array>): AsyncGenerator<Line>
  /** The error of an answer that is none: in the server's own words, where it has some. */
  refusalOf(response: Response): Promise<Error>
}

/** The server's own words why there is no file. */
export class ExportRefused extends Error {
  override name = 'ExportRefused'
  /** The person has to prove to be there; then the same order is done. */
  declare readonly needsProof?: boolean
}
