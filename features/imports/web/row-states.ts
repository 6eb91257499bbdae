import type { BadgeTone } from '@pc/ui/elements/card.tsx'
import type { ImportsQuery } from './imports.gen.ts'

type RowState = NonNullable<ImportsQuery['importRows']>['nodes'][number]['state']

export const PAGE_SIZE = 100
export const STATES: Readonly<Record<RowState, readonly [label: string, tone: BadgeTone]>> = {
  new: ['新規', 'ok'],
  changed: ['変更', 'warn'],
  unchanged: ['変更なし', 'mute'],
  refused: ['取り込めない', 'bad'],
}

/** The state in the address; undefined: all states. */
export function stateOf(text: string): RowState | undefined {
  return (Object.keys(STATES) as RowState[]).find(state => state === text)
}
