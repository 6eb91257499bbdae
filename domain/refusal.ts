/**
 * A rule says no, or the input is wrong. Expected, shown to the person in Japanese at the field it belongs to.
 * The texts live in one typed dictionary (`domain/refusal-messages.ja.ts`); a code without a text does not compile.
 */
export interface Refusal<Code extends string = string> {
  /** `<noun>/<what-is-wrong>`, for example `agreement/fee-bearer-not-allowed`. */
  readonly code: Code
  /** Path of the input field, for example `['input', 'bankAccountId']`; empty when no single field is to blame. */
  readonly path: readonly (string | number)[]
  /** Values that the Japanese text names. */
  readonly data: Readonly<Record<string, string | number>>
}

export function refusal<Code extends string>(
  code: Code,
  path: readonly (string | number)[] = [],
  data: Readonly<Record<string, string | number>> = {},
): Refusal<Code> {
  return { code, path, data }
}

/** Refusals of one of several inputs: its place stands before their paths. */
export function inPlace<Code extends string>(place: number, refusals: readonly Refusal<Code>[]): Refusal<Code>[] {
  return refusals.map(({ code, path, data }) => refusal(code, [place, ...path], data))
}

/** The refusals of the only one of several inputs, as if it had been sent alone. */
export function outOfPlace<Code extends string>(refusals: readonly Refusal<Code>[]): Refusal<Code>[] {
  return refusals.map(({ code, path, data }) => refusal(code, path.slice(1), data))
}
