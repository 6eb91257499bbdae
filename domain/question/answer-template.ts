import { type Refusal, refusal } from '../refusal.ts'
import { hasHiddenCharacter } from '../text/name-text.ts'

/** The placeholders that a template may contain. */
export const TEMPLATE_PLACEHOLDERS = ['支払先', '契約', '媒体', '月', '対象', '質問時の値', '現在の値'] as const
export type TemplatePlaceholder = (typeof TEMPLATE_PLACEHOLDERS)[number]

/** Characters of a name, characters of a body, and templates in all. */
export const TEMPLATE_BOUNDS = { name: 60, body: 2_000, count: 100 } as const

/**
 * Values of the placeholders. A placeholder without a value stays as it is written, so that nobody sends a sentence
 * with a gap.
 */
export type TemplateFacts = Readonly<Partial<Record<TemplatePlaceholder, string>>>

const PLACEHOLDER = /\{([^{}]*)\}/g

/**
 * The body with its placeholders filled in. Text inside a value is never read as a placeholder.
 * Tested by `domain/question/question.test.ts`.
 */
export function fillTemplate(body: string, facts: TemplateFacts): string {
  return body.replaceAll(PLACEHOLDER, (whole, name: string) =>
    isPlaceholder(name) && facts[name] !== undefined ? facts[name] : whole,
  )
}

type TemplateRefusal = Refusal<
  | 'answer-template/name-missing'
  | 'answer-template/name-too-long'
  | 'answer-template/body-missing'
  | 'answer-template/body-too-long'
  | 'answer-template/placeholder-unknown'
  | 'name/hidden-characters'
>

/** What is wrong with a template, with the path of the form's field. */
export function checkTemplate(draft: { readonly name: string; readonly body: string }): readonly TemplateRefusal[] {
  const { name: maxName, body: maxBody } = TEMPLATE_BOUNDS
  const refusals: TemplateRefusal[] = []
  if (draft.name === '') refusals.push(refusal('answer-template/name-missing', ['input', 'name']))
  if ([...draft.name].length > maxName)
    refusals.push(refusal('answer-template/name-too-long', ['input', 'name'], { max: maxName }))
  if (hasHiddenCharacter(draft.name)) refusals.push(refusal('name/hidden-characters', ['input', 'name']))
  if (draft.body === '') refusals.push(refusal('answer-template/body-missing', ['input', 'body']))
  if ([...draft.body].length > maxBody)
    refusals.push(refusal('answer-template/body-too-long', ['input', 'body'], { max: maxBody }))
  const unknown = [...draft.body.matchAll(PLACEHOLDER)].map(match => match[1] ?? '').find(name => !isPlaceholder(name))
  if (unknown !== undefined)
    refusals.push(refusal('answer-template/placeholder-unknown', ['input', 'body'], { name: `{${unknown}}` }))
  return refusals
}

function isPlaceholder(name: string): name is TemplatePlaceholder {
  return TEMPLATE_PLACEHOLDERS.some(each => each === name)
}
