import { USER_REFUSALS_JA } from '@pc/domain/access/user-refusals.ja.ts'
import { NAME_REFUSALS_JA } from '@pc/domain/text/name-refusals.ja.ts'
import { hasHiddenCharacter } from '@pc/domain/text/name-text.ts'
import { confirm } from '@pc/ui/confirm.tsx'
import { FormSection } from '@pc/ui/form/form-section.tsx'
import { type FieldProblem, refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { TextField } from '@pc/ui/form/text-field.tsx'
import type { Control } from 'react-hook-form'

export interface OrganizationValues {
  name: string
}

const MAX_LENGTH = 200

export function checkOrganization({ name }: OrganizationValues): readonly FieldProblem[] {
  if (hasHiddenCharacter(name.trim())) return [{ name: 'name', message: NAME_REFUSALS_JA['name/hidden-characters']() }]
  const length = [...name.trim()].length
  if (length > 0 && length <= MAX_LENGTH) return []
  return [{ name: 'name', message: USER_REFUSALS_JA['organization/name-required']({ max: MAX_LENGTH }) }]
}

/** Sends a name; where another organisation has it already, asks first, and leaves the refusal to the form when not agreed. */
export async function withNameConfirmed<A>(send: (confirmed: { confirmsSameName?: true }) => Promise<A>): Promise<A> {
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

export function OrganizationName({ control }: { control: Control<OrganizationValues> }) {
  return (
    <FormSection title="組織">
      <TextField
        control={control}
        name="name"
        label="組織名"
        isRequired
        hint="契約やパブリッシャー、お支払いの書類に表示される名称です。"
      />
    </FormSection>
  )
}
