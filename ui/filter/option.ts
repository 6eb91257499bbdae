export interface Option {
  readonly value: string
  readonly label: string
}
