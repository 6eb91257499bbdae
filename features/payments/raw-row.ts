/** A line of raw data as it was typed; the server checks it. */
export interface ManualOperationRawRow {
  readonly agreementId: string
  readonly publisherId: string
  /** Yen, negative for a clawback; of csv entries. */
  readonly amount?: string
  /** Of pools: overrides the weight from the statistics. */
  readonly weight?: string
  readonly reason?: string
  /** YYYY-MM */
  readonly originMonth?: string
}
