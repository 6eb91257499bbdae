import { type Refusal, refusal } from '../refusal.ts'
import { MAX_TREATY_RATE } from '../transfer/withholding.ts'

/** A tax treaty form as an agreement stores it; all null: none was received. */
export interface TreatyFormFields {
  readonly payeeResidence: string
  readonly treatyFormFrom: string | null
  readonly treatyFormTo: string | null
  readonly treatyFormRate: number | null
}

export type TreatyFormRefusal = Refusal<
  | 'agreement/treaty-form-of-resident'
  | 'agreement/treaty-form-incomplete'
  | 'agreement/treaty-form-ends-early'
  | 'agreement/treaty-form-rate'
>

/** What is wrong with an agreement's treaty form (租税条約等実施特例法第3条の2 and its ordinance). Paths name the fields. */
export function treatyFormRefusals(fields: TreatyFormFields): readonly TreatyFormRefusal[] {
  const { treatyFormFrom: from, treatyFormTo: to, treatyFormRate: rate } = fields
  if (from === null && to === null && rate === null) return []
  if (fields.payeeResidence === 'resident')
    return [refusal('agreement/treaty-form-of-resident', ['input', 'payeeResidence'])]
  const refusals: TreatyFormRefusal[] = []
  if (from === null) refusals.push(refusal('agreement/treaty-form-incomplete', ['input', 'treatyFormFrom']))
  if (rate === null) refusals.push(refusal('agreement/treaty-form-incomplete', ['input', 'treatyFormRate']))
  if (from !== null && to !== null && to < from)
    refusals.push(refusal('agreement/treaty-form-ends-early', ['input', 'treatyFormTo']))
  if (rate !== null && !(Number.isInteger(rate) && rate >= 0 && rate <= MAX_TREATY_RATE))
    refusals.push(refusal('agreement/treaty-form-rate', ['input', 'treatyFormRate'], { max: MAX_TREATY_RATE / 100 }))
  return refusals
}
