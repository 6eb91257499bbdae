import { ROLES } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { auditRowOf } from '@pc/domain/payment/audit-row-id.ts'
import { SETTING_SECTION_LABELS, SETTING_SECTIONS } from '@pc/domain/payment/setting-section.ts'
import { AUDIT_FIELD_LABELS_JA } from './audit-field-labels.ja.ts'
import { auditValueText } from './audit-value-labels.ja.ts'

interface Row {
  readonly action: string
  readonly actorUid: string | null
  readonly resourceName: string
  readonly rowId: string
  readonly before: string | null
  readonly after: string | null
}

function paymentRowOf({ resourceName, rowId }: Pick<Row, 'resourceName' | 'rowId'>) {
  if (resourceName !== 'insight:dividend.' && resourceName !== 'insight:monthly_payment.') return undefined
  return auditRowOf(rowId)
}

/** The kind of the changed record in Japanese; it may be narrower than the resource of the right. */
export function resourceText(entry: Pick<Row, 'resourceName' | 'rowId'> & { readonly resourceLabel: string }): string {
  return paymentRowOf(entry)?.label ?? entry.resourceLabel
}

/** The changed record in words where possible, for example a person by email address instead of the UUID. */
export function rowText({ actorUid, resourceName, rowId, before, after }: Row): string {
  if (rowId === 'list') return '（一覧）'
  if (resourceName !== 'iam:user.') {
    const { id } = paymentRowOf({ resourceName, rowId }) ?? { id: rowId }
    const section = SETTING_SECTIONS.find(name => name === id)
    return section ? SETTING_SECTION_LABELS[section] : id
  }
  if (rowId === actorUid) return '（本人）'
  if (actorUid !== null && rowId.startsWith(`${actorUid}/preferences/`)) return '（本人の画面設定）'
  const email = readObject(after).email ?? readObject(before).email
  return typeof email === 'string' ? email : rowId
}

export interface ChangedField {
  readonly name: string
  readonly label: string
  readonly before: string
  readonly after: string
  readonly isChanged: boolean
}

/** The fields of an entry with their values before and after, in words. */
export function changedFields(before: string | null, after: string | null): readonly ChangedField[] {
  const [was, is] = [readObject(before), readObject(after)]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].map(name => {
    const texts = [valueText(name, was[name]), valueText(name, is[name])] as const
    return {
      name,
      label: labelOf(name),
      before: texts[0],
      after: texts[1],
      isChanged: texts[0] !== texts[1],
    }
  })
}

function readObject(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null) return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : { value }
  } catch {
    return { value: text }
  }
}

function valueText(name: string, value: unknown): string {
  if (value === undefined || value === null || value === '') return '—'
  if (name === 'enabled') return value === true ? '有効' : '無効'
  if (typeof value === 'boolean') return value ? 'はい' : 'いいえ'
  if (Array.isArray(value)) return value.length === 0 ? '（なし）' : value.map(itemText).join('、')
  return textOf(name, value)
}

function itemText(item: unknown): string {
  const role = ROLES.find(name => name === item)
  return role ? ROLE_LABELS_JA[role].label : textOf('', item)
}

/** A value as text; nested objects are listed field by field. */
function textOf(name: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) return auditValueText(name, String(value))
  const parts = Object.entries(value).map(([field, one]) => `${labelOf(field)}：${valueText(field, one)}`)
  return `（${parts.join('、')}）`
}

const labelOf = (name: string) => AUDIT_FIELD_LABELS_JA[name] ?? name
