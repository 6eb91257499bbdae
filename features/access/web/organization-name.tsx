import { USER_REFUSALS_JA } from '@pc/domain/access/user-refusals.ja.ts'
import { NAME_REFUSALS_JA } from '@pc/domain/text/name-refusals.ja.ts'
import { hasHiddenCharacter } from '@pc/domain/text/name-text.ts'
import { FormSection } from '@pc/ui/form/form-section.tsx'
import type { FieldProblem } from '@pc/ui/form/refused-fields.ts'
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
