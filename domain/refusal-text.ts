/** Values that the text of a refusal names. */
export type RefusalData = Readonly<Record<string, string | number>>

/** The refusals of one noun: code → Japanese text, which says what to do. */
export type RefusalTexts = Readonly<Record<`${string}/${string}`, (data: RefusalData) => string>>
