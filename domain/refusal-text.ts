/** Values that a refusal's text names. */
export type RefusalData = Readonly<Record<string, string | number>>

/** One noun's refusals: code → Japanese text, which says what to do. */
export type RefusalTexts = Readonly<Record<`${string}/${string}`, (data: RefusalData) => string>>
