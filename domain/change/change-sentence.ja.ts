import { changeSign, changeTenths } from '../report/change.ts'
import { COMPARISON_LABELS, type Comparison } from '../report/comparison.ts'
import type { ChangeUnit } from '../report/metric-identity.ts'
import {
  type Cause,
  type ChangeDimension,
  causeOf,
  type DimensionParts,
  isSpread,
  leadingFactor,
  type NamedPart,
} from './change-cause.ts'
import { shownSteps, signedText, sizeText } from './exact-unit.ts'
import { shownDifference } from './parts-in-steps.ts'

export const CHANGE_DIMENSION_LABELS: Readonly<Record<ChangeDimension, string>> = {
  data: 'データの有無',
  article: '記事',
  video: '動画',
  section: 'セクション',
  publisher: 'パブリッシャー',
  medium: '媒体',
  day: '日',
  weekday: '曜日',
}

/** A difference with its levels, as the drawer and the sentence need it. */
export interface NamedChange {
  readonly label: string
  readonly unit: ChangeUnit
  readonly compareWith: Comparison
  /** In exact units. */
  readonly before: bigint
  readonly now: bigint
  readonly difference: bigint
  readonly factors: readonly NamedPart[]
  readonly dimensions: readonly DimensionParts[]
}

/**
 * Why a figure changed, in two or three Japanese sentences, made by fixed rules: the member that explains most comes
 * first, or the factor when the change is spread over all members.
 * Tested by `domain/change/change-sentence.test.ts`.
 */
export function changeSentence(change: NamedChange): string {
  const { label, unit, difference } = change
  const than = COMPARISON_LABELS[change.compareWith]
  const steps = shownDifference(change)
  if (steps === 0n) return `${label}は、${than}と変わっていません。`
  const way = WAYS[unit][difference < 0n ? 0 : 1]
  return `${label}は、${than}より${sizeText(unit, steps)}${percentText(change)}${way}。${reasonText(change)}`
}

/**
 * The reason alone: the cause, or else the leading factor and over which members the change is spread. Empty when
 * neither is known.
 */
export function reasonText({ unit, difference, factors, dimensions }: NamedChange): string {
  const cause = causeOf(difference, dimensions)
  const factor = leadingFactor(difference, factors)
  if (cause) {
    const first = `いちばんの要因は、${causeText(cause, unit)}（${signedText(unit, cause.part.steps)}）です。`
    if (!factor || cause.dimension === 'data') return first
    return `${first}要素では、${factorText(factor)}（${signedText(unit, factor.steps)}）が最も影響しています。`
  }
  const spread = SPREAD_OVER.filter(name =>
    dimensions.some(each => each.dimension === name && isSpread(difference, each)),
  ).map(name => CHANGE_DIMENSION_LABELS[name])
  const first = factor ? `いちばんの要因は、${factorText(factor)}（${signedText(unit, factor.steps)}）です。` : ''
  return spread.length === 0 ? first : `${first}特定の${spread.join('や')}には、かたよっていません。`
}

/** The dimensions that people suspect first: the sentence says when a change is spread evenly over them. */
const SPREAD_OVER = ['medium', 'publisher'] as const

const SUM_WAYS = ['減りました', '増えました'] as const
const RATE_WAYS = ['下がりました', '上がりました'] as const
const WAYS: Readonly<Record<ChangeUnit, readonly [string, string]>> = {
  ...{ count: SUM_WAYS, yen: SUM_WAYS, seconds: SUM_WAYS },
  ...{ ratio: RATE_WAYS, yenPerMille: RATE_WAYS, yenPerClick: RATE_WAYS },
  secondsPerWatch: ['短くなりました', '長くなりました'],
}

function percentText({ unit, before, now }: NamedChange): string {
  // The change of a rate is given in points only.
  const shown = (value: bigint) => Number(shownSteps(unit, value))
  const tenths = unit === 'ratio' ? undefined : changeTenths(shown(now), shown(before))
  if (tenths === undefined) return ''
  const size = Math.abs(tenths)
  return `（${changeSign(tenths)}${Math.floor(size / 10)}.${size % 10}%）`
}

function causeText({ dimension, part }: Cause, unit: ChangeUnit): string {
  const { kind, label, difference } = part
  if (dimension === 'data') return label
  const name =
    dimension === 'day' || dimension === 'weekday' ? label : `${CHANGE_DIMENSION_LABELS[dimension]}「${label}」`
  if (kind === 'new') return `新たに加わった${name}`
  if (kind === 'gone') return `${name}がなくなったこと`
  // A member moves a rate by its own rate and by its weight, so the words for more and less do not fit.
  if (isRate(unit)) return `${name}の変化`
  return `${name}の${difference < 0n ? '減少' : '増加'}`
}

function factorText({ label, before, now, unit }: NamedPart): string {
  const rises = (now ?? 0n) > (before ?? 0n)
  if (unit !== 'secondsPerWatch' && isRate(unit)) return `${label}の${rises ? '上昇' : '低下'}`
  return `${label}の${rises ? '増加' : '減少'}`
}

const isRate = (unit: ChangeUnit) => WAYS[unit] !== SUM_WAYS
