import { USER_REFUSALS_JA } from '@pc/domain/access/user-refusals.ja.ts'
import { NAME_REFUSALS_JA } from '@pc/domain/text/name-refusals.ja.ts'
import { hasHiddenCharacter } from '@pc/domain/text/name-text.ts'
import { MAX_ADDRESS, readPostalAddress } from '@pc/domain/text/postal-address.ts'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { FormSection } from '@pc/ui/form/form-section.tsx'
import { type FieldProblem, refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { TextField } from '@pc/ui/form/text-field.tsx'
import type { Control } from 'react-hook-form'

export interface OrganizationValues {
  name: string
  postalCode: string
  address: string
}

/** In characters, as on the server. */
const MAX_LENGTH = 200

const TEXTS = { ...NAME_REFUSALS_JA, ...USER_REFUSALS_JA }

/** The problems of the form; empty when it can be sent. */
export function checkOrganization({ name, ...where }: OrganizationValues): readonly FieldProblem[] {
  const address = readPostalAddress(where)
  const ofAddress = address.ok ? [] : address.refusals
  return [
    ...nameProblems(name),
    ...ofAddress.map(({ code, path, data }) => ({ name: String(path[0]), message: TEXTS[code](data) })),
  ]
}

function nameProblems(name: string): readonly FieldProblem[] {
  if (hasHiddenCharacter(name.trim())) return [{ name: 'name', message: TEXTS['name/hidden-characters']() }]
  const length = [...name.trim()].length
  if (length > 0 && length <= MAX_LENGTH) return []
  return [{ name: 'name', message: TEXTS['organization/name-required']({ max: MAX_LENGTH }) }]
}

/** The values without spaces at either end. */
export function sentOrganization({ name, postalCode, address }: OrganizationValues): OrganizationValues {
  return { name: name.trim(), postalCode: postalCode.trim(), address: address.trim() }
}

/**
 * Sends a name. If another organisation has it, asks the user to confirm; without consent the form shows the refusal.
 */
export async function withSameNameConfirmed<A>(
  send: (confirmed: { confirmsSameName?: true }) => Promise<A>,
): Promise<A> {
  try {
    return await send({})
  } catch (error) {
    const taken = refusalsOf(error).find(refusal => refusal.code === 'organization/name-taken')
    if (!taken) throw error
    const isMeant = await confirm({
      title: '同じ名前の組織があります',
      body: `${taken.message}別の組織として保存しますか？`,
      action: '別の組織として保存する',
    })
    if (!isMeant) throw error
    return send({ confirmsSameName: true })
  }
}

export function OrganizationFields({ control }: { control: Control<OrganizationValues> }) {
  return (
    <FormSection title="組織">
      <TextField
        control={control}
        name="name"
        label="組織名"
        isRequired
        hint="契約やパブリッシャー、お支払いの書類に表示される名称です。"
      />
      <TextField
        control={control}
        name="postalCode"
        label="郵便番号"
        width="short"
        maxLength={20}
        placeholder="100-0001"
        hint="国外の住所の場合は空欄にします。"
      />
      <TextField
        control={control}
        name="address"
        label="住所"
        maxLength={MAX_ADDRESS}
        hint="支払通知書と支払調書の資料に記載します。空欄の場合は記載しません。"
      />
    </FormSection>
  )
}
