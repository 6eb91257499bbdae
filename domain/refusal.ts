/**
 * An expected "no": a rule refuses, or the input is wrong. It is shown in Japanese at the field it belongs to, with a
 * text from `domain/refusal-messages.ja.ts`; a code without a text does not compile.
 */
export interface Refusal<Code extends string = string> {
  /** `<noun>/<what-is-wrong>`, for example `agreement/fee-bearer-not-allowed`. */
  readonly code: Code
  /** Path of the input field, for example `['input', 'bankAccountId']`; empty when it concerns no single field. */
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

/** Puts the index of the input before the paths of its refusals. */
export function inPlace<Code extends string>(place: number, refusals: readonly Refusal<Code>[]): Refusal<Code>[] {
  return refusals.map(({ code, path, data }) => refusal(code, [place, ...path], data))
}

/** Removes the index from the paths, for a single input that was sent as a list. */
export function outOfPlace<Code extends string>(refusals: readonly Refusal<Code>[]): Refusal<Code>[] {
  return refusals.map(({ code, path, data }) => refusal(code, path.slice(1), data))
}
