/** A line of raw data as it was typed; the server checks it. */
export interface ManualOperationRawRow {
  readonly agreementId: string
  readonly publisherId: string
  /** In csv entries: yen, negative for a clawback. */
  readonly amount?: string
  /** In pools: replaces the weights from the statistics, for all rules. */
  readonly weight?: string
  readonly reason?: string
  /** YYYY-MM */
  readonly originMonth?: string
}
