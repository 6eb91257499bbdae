import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { hiddenCharacterProblem } from '@pc/domain/text/name-refusals.ja.ts'
import { IconPencil, IconStar, IconStarFilled, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { Button } from '../elements/button.tsx'
import { showToast } from '../feedback/toasts.tsx'
import type { ScreenSettingsSaver } from './save-screen-settings.ts'
import styles from './saved-views.module.css'
import type { SavedView, ScreenSettings } from './screen-settings.ts'

export interface SavedViewsProps {
  settings: ScreenSettings
  changes: ScreenSettingsSaver
  /** The view that the address names. */
  activeId: string | undefined
  /** What saving would store: the condition as in the address, and the visible columns. */
  condition: string | undefined
  columns: readonly string[]
  onOpen: (view: SavedView) => void
  /** Whether views can be shared with roles, which only staff may do. */
  maySaveForRole: boolean
}

/** Roles with which a view of the insight service can be shared. */
const SHARED_WITH = ROLES.filter((role): role is Role => role.startsWith('insight:'))

interface SavedViewsPanelProps extends SavedViewsProps {
  active: SavedView | undefined
  onClose: () => void
}

/** What opens below the button; its code loads when the pointer or the focus comes near. */
export function SavedViewsPanel(props: SavedViewsPanelProps) {
  const { settings, changes, active, onClose } = props
  const own = settings.views.filter(view => view.isOwn)
  const shared = settings.views.filter(view => !view.isOwn)
  const list = (title: string, views: readonly SavedView[]) =>
    views.length > 0 && (
      <section>
        <h3>{title}</h3>
        <ul>
          {views.map(view => (
            <ViewRow
              key={view.id}
              view={view}
              settings={settings}
              changes={changes}
              isActive={view.id === active?.id}
              onOpen={() => {
                props.onOpen(view)
                onClose()
              }}
            />
          ))}
        </ul>
      </section>
    )
  return (
    <div className={styles.panel}>
      {settings.views.length === 0 && (
        <p className={styles.empty}>
          よく使う期間・絞り込み・項目に名前を付けて保存できます。下の欄から保存してください。
        </p>
      )}
      {list('自分の表示', own)}
      {list('共有された表示', shared)}
      <SaveForm {...props} />
    </div>
  )
}

interface ViewRowProps {
  view: SavedView
  settings: ScreenSettings
  changes: ScreenSettingsSaver
  isActive: boolean
  onOpen: () => void
}

function ViewRow({ view, settings, changes, isActive, onOpen }: ViewRowProps) {
  const [isRenaming, setRenaming] = useState(false)
  const isDefault = settings.defaultViewId === view.id
  const Star = isDefault ? IconStarFilled : IconStar
  if (isRenaming) return <Rename view={view} changes={changes} onDone={() => setRenaming(false)} />
  return (
    <li>
      <button type="button" className={styles.open} aria-current={isActive || undefined} onClick={onOpen}>
        <span>{view.name}</span>
        {(view.sharedWithRole || view.ownerEmail) && <small>{noteOf(view)}</small>}
      </button>
      <button
        type="button"
        className={styles.tool}
        aria-pressed={isDefault}
        aria-label={`${view.name}を最初に開く表示にする`}
        title={isDefault ? '最初に開く表示です。押すと解除します' : '最初に開く表示にする'}
        onClick={() => void changes.saveDefaultView(isDefault ? undefined : view.id)}
      >
        <Star size={16} aria-hidden />
      </button>
      {view.isOwn && (
        <>
          <button
            type="button"
            className={styles.tool}
            aria-label={`${view.name}の名前を変更する`}
            onClick={() => setRenaming(true)}
          >
            <IconPencil size={16} aria-hidden />
          </button>
          <button
            type="button"
            className={styles.tool}
            aria-label={`${view.name}を削除する`}
            onClick={() => void remove(view, changes)}
          >
            <IconTrash size={16} aria-hidden />
          </button>
        </>
      )}
    </li>
  )
}

function noteOf({ sharedWithRole, isOwn, ownerEmail }: SavedView): string {
  const role = ROLES.find(one => one === sharedWithRole)
  const label = role ? `${ROLE_LABELS_JA[role].label}に共有` : ''
  return isOwn ? label : [ownerEmail, label].filter(text => text !== '').join('、')
}

async function remove(view: SavedView, changes: ScreenSettingsSaver) {
  if (!(await changes.deleteView(view.id))) return
  showToast({
    tone: 'success',
    message: `表示「${view.name}」を削除しました。`,
    action: { label: '元に戻す', run: () => void changes.restoreView(view.id) },
  })
}

function Rename({ view, changes, onDone }: { view: SavedView; changes: ScreenSettingsSaver; onDone: () => void }) {
  const [name, setName] = useState(view.name)
  const [problem, setProblem] = useState<string>()
  const id = useId()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const hidden = hiddenCharacterProblem(name)
    setProblem(hidden)
    if (hidden) return
    if (await changes.saveView({ ...contentOf(view), name })) onDone()
  }
  return (
    <li>
      <form className={styles.rename} onSubmit={event => void submit(event)}>
        <input
          aria-label="新しい名前"
          value={name}
          maxLength={60}
          {...describedBy(id, problem)}
          onChange={event => setName(event.target.value)}
        />
        <Button type="submit" tone="primary" disabled={name.trim() === ''}>
          変更
        </Button>
        <Button onClick={onDone}>やめる</Button>
        <Problem id={id} text={problem} />
      </form>
    </li>
  )
}

function describedBy(id: string, problem: string | undefined) {
  return { 'aria-invalid': problem ? true : undefined, 'aria-describedby': problem ? `${id}-problem` : undefined }
}

function Problem({ id, text }: { id: string; text: string | undefined }) {
  return (
    text !== undefined && (
      <p id={`${id}-problem`} className={styles.problem} role="alert">
        {text}
      </p>
    )
  )
}

function contentOf(view: SavedView) {
  const { id, name, condition, columns, sharedWithRole, revision } = view
  return {
    id,
    name,
    condition,
    expectedRevision: revision,
    ...(columns ? { columns: [...columns] } : {}),
    ...(sharedWithRole ? { sharedWithRole } : {}),
  }
}

function SaveForm(props: SavedViewsProps & { active: SavedView | undefined }) {
  const { changes, active, condition = '', columns } = props
  const [name, setName] = useState('')
  const [role, setRole] = useState('')
  const [problem, setProblem] = useState<string>()
  const isSaving = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (isSaving.current || name.trim() === '') return
    const hidden = hiddenCharacterProblem(name)
    setProblem(hidden)
    if (hidden) return
    const shared = role === '' ? {} : { sharedWithRole: role }
    isSaving.current = true
    const saved = await changes.saveView({ name, condition, columns: [...columns], ...shared }).finally(() => {
      isSaving.current = false
    })
    if (!saved) return
    // The button is disabled until another name is entered, and would take the focus with it.
    field.current?.focus()
    setName('')
    showToast({ tone: 'success', message: `表示「${saved.name}」を保存しました。` })
    props.onOpen(saved)
  }
  const overwrite = async (view: SavedView) => {
    const saved = await changes.saveView({ ...contentOf(view), condition, columns: [...columns] })
    if (saved) showToast({ tone: 'success', message: `表示「${saved.name}」を更新しました。` })
  }
  return (
    <form className={styles.save} onSubmit={event => void save(event)}>
      <h3>今の条件と項目を保存</h3>
      <label htmlFor={id} className="visually-hidden">
        表示の名前
      </label>
      <input
        ref={field}
        id={id}
        value={name}
        maxLength={60}
        placeholder="表示の名前（例：週次の確認）"
        autoComplete="off"
        {...describedBy(id, problem)}
        onChange={event => setName(event.target.value)}
      />
      <Problem id={id} text={problem} />
      {props.maySaveForRole && (
        <label className={styles.role}>
          <span>共有先</span>
          <select value={role} onChange={event => setRole(event.target.value)}>
            <option value="">自分だけ</option>
            {SHARED_WITH.map(one => (
              <option key={one} value={one}>
                {ROLE_LABELS_JA[one].label}
              </option>
            ))}
          </select>
        </label>
      )}
      <div className={styles.actions}>
        {active?.isOwn && <Button onClick={() => void overwrite(active)}>「{active.name}」を更新</Button>}
        <Button type="submit" tone="primary" disabled={name.trim() === ''}>
          保存する
        </Button>
      </div>
    </form>
  )
}
