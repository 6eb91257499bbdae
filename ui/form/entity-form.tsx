import { type KeyboardEvent, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import {
  type Control,
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  FormProvider,
  type PathValue,
  type Resolver,
  useForm,
  useFormState,
} from 'react-hook-form'
import { showToast } from '../feedback/toasts.tsx'
import { goTo } from '../routing/hash-location.ts'
import { lazyPart } from '../routing/lazy-part.tsx'
import { useViewerId } from '../session/viewer.tsx'
import type * as Conflict from './conflict-dialog.tsx'
import { RESTORED, saveDraft, takeDraft } from './draft-storage.ts'
import styles from './entity-form.module.css'
import { FieldProblems } from './field-problems.ts'
import { FormBar } from './form-bar.tsx'
import { FormFrameContext, type Latest, makeFormFrame } from './form-frame.ts'
import { ProblemSummary } from './problem-summary.tsx'
import { type FieldProblem, fieldOfPath, refusalsOf, type SentRefusal } from './refused-fields.ts'
import { useLeaveGuard } from './use-leave-guard.ts'

/** Rarely needed, and larger than the form. The cast keeps the component generic. */
const ConflictDialog = lazyPart(
  async () => (await import('./conflict-dialog.tsx')).ConflictDialog,
  ({ onClose }) => onClose(),
) as unknown as typeof Conflict.ConflictDialog

interface EntityFormProps<V extends FieldValues, A> {
  title: string
  /** Initial values: the record, or the defaults of a new one. Empty number fields are null. */
  initial: V
  /** Revision of the edited record; undefined for a new one. */
  revision?: number | undefined
  /** Finds problems before sending, with the server's rules and texts. */
  check?: (values: V) => readonly FieldProblem[]
  /** Sends the values. Refusals appear at their fields. */
  send: (values: V, expectedRevision: number | undefined) => Promise<A>
  /** The message after saving, and the address to open. */
  saved: (answer: A, values: V) => { readonly message: string; readonly address: string }
  /** Fetches the record again after somebody else has changed it. */
  loadLatest?: () => Promise<Latest<V>>
  /** The address for leaving without saving. */
  cancelAddress: string
  submitLabel?: string
  /** Label while sending; default: that it is being saved. */
  busyLabel?: string
  /** Given: the form is read-only, for this reason. */
  readOnlyReason?: string | undefined
  /** Beside the fields, for example the history. */
  aside?: ReactNode
  children: (control: Control<V>) => ReactNode
}

/**
 * The form of one record: errors at their fields and in a summary, a guard for unsaved changes, a preview of changes,
 * Ctrl/⌘+Enter to save, Esc to leave, and a comparison when somebody else saved first.
 */
export function EntityForm<V extends FieldValues, A>(props: EntityFormProps<V, A>) {
  const { initial, readOnlyReason } = props
  const frame = useMemo(() => makeFormFrame(readOnlyReason), [readOnlyReason])
  const checkLatest = useRef(props.check)
  useEffect(() => {
    checkLatest.current = props.check
  })
  const form = useForm<V>({
    defaultValues: initial as DefaultValues<V>,
    resolver: useMemo(() => resolverOf<V>(values => checkLatest.current?.(values) ?? []), []),
    shouldFocusError: false,
  })
  const { isDirty } = useFormState({ control: form.control })
  const [isBusy, setBusy] = useState(false)
  const [base, setBase] = useState<Latest<V>>({ values: initial, revision: props.revision })
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  const [conflict, setConflict] = useState<SentRefusal>()
  const place = useRef<HTMLFormElement>(null)
  const summary = useRef<HTMLDivElement>(null)
  const personId = useViewerId()
  useLeaveGuard(isDirty, () =>
    personId === undefined ? false : saveDraft({ personId, revision: base.revision, values: form.getValues() }),
  )
  useEffect(() => {
    if (personId === undefined || readOnlyReason) return
    const draft = takeDraft(personId)
    if (!draft) return
    // The draft's revision is sent when saving, so that changes since then are detected.
    setBase(before => ({ ...before, revision: draft.revision }))
    for (const [name, value] of Object.entries(draft.values))
      form.setValue(name as FieldPath<V>, value as PathValue<V, FieldPath<V>>, { shouldDirty: true })
    showToast({ tone: 'success', message: RESTORED })
  }, [personId, readOnlyReason, form])
  useEffect(() => {
    // The screen began with cached data. A newer answer replaces the values as long as nothing has been entered.
    if (props.revision === base.revision || isDirty || isBusy) return
    setBase({ values: initial, revision: props.revision })
    form.reset(initial)
  }, [props.revision, base.revision, isDirty, isBusy, initial, form])

  const showProblems = (found: readonly FieldProblem[]) => {
    setProblems(inOrderOf(place.current, found))
    for (const { name, message } of found)
      if (name !== '') form.setError(name as FieldPath<V>, { type: 'refused', message })
    requestAnimationFrame(() => summary.current?.focus())
  }
  const save = async (values: V) => {
    if (isBusy) return
    setBusy(true)
    setProblems([])
    try {
      const answer = await props.send(values, base.revision)
      const { message, address } = props.saved(answer, values)
      showToast({ tone: 'success', message })
      form.reset(values)
      goTo(address, { isFinal: true })
    } catch (error) {
      const refusals = refusalsOf(error)
      const edited = refusals.find(refusal => refusal.code === 'record/edited-by-other')
      if (edited && props.loadLatest) setConflict(edited)
      else if (error instanceof FieldProblems) showProblems(error.problems)
      else if (refusals.length > 0) showProblems(refusals.map(one => problemOf(one, name => frame.fields.has(name))))
      else showProblems([{ name: '', message: '保存できませんでした。通信状態を確認して、もう一度保存してください。' }])
    } finally {
      setBusy(false)
    }
  }
  const submit = () => {
    const unreadable = unreadableFields(place.current)
    const names = new Set(unreadable.map(({ name }) => name))
    const wrong = () => (props.check?.(form.getValues()) ?? []).filter(({ name }) => !names.has(name))
    void form.handleSubmit(
      values => (unreadable.length > 0 ? showProblems(unreadable) : save(values)),
      () => showProblems([...unreadable, ...wrong()]),
    )()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.defaultPrevented) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !readOnlyReason) {
      event.preventDefault()
      submit()
    } else if (event.key === 'Escape') {
      // Otherwise the same key would close the question that it opens.
      event.preventDefault()
      goTo(props.cancelAddress)
    }
  }
  return (
    <FormProvider {...form}>
      <FormFrameContext value={frame}>
        <form
          ref={place}
          className={styles.form}
          aria-label={props.title}
          noValidate
          onSubmit={event => {
            event.preventDefault()
            submit()
          }}
          onKeyDown={onKeyDown}
        >
          {readOnlyReason && <p className={styles.locked}>{readOnlyReason}</p>}
          <ProblemSummary
            ref={summary}
            problems={problems}
            control={form.control}
            onFollow={name => focusField(form, name)}
          />
          <div className={styles.columns} data-aside={props.aside ? true : undefined}>
            <div className={styles.sections}>{props.children(form.control)}</div>
            {props.aside && <aside>{props.aside}</aside>}
          </div>
          <FormBar
            control={form.control}
            before={base.values}
            isEdit={props.revision !== undefined}
            isBusy={isBusy}
            isReadOnly={readOnlyReason !== undefined}
            submitLabel={props.submitLabel ?? '保存する'}
            busyLabel={props.busyLabel ?? '保存しています…'}
            onCancel={() => goTo(props.cancelAddress)}
          />
        </form>
        {conflict && props.loadLatest && (
          <Suspense>
            <ConflictDialog
              refusal={conflict}
              base={base.values}
              mine={form.getValues()}
              loadLatest={props.loadLatest}
              frame={frame}
              onClose={() => setConflict(undefined)}
              onResolve={(latest, mine) => {
                setConflict(undefined)
                setBase(latest)
                form.reset(latest.values)
                for (const [name, value] of Object.entries(mine))
                  form.setValue(name as FieldPath<V>, value, { shouldDirty: true })
              }}
            />
          </Suspense>
        )}
      </FormFrameContext>
    </FormProvider>
  )
}

function resolverOf<V extends FieldValues>(check: (values: V) => readonly FieldProblem[]): Resolver<V> {
  return values => {
    const errors: FieldValues = {}
    for (const { name, message } of check(values)) nest(errors, name.split('.'), { type: 'check', message })
    return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors: errors as never }
  }
}

function nest(target: FieldValues, [first = '', ...rest]: string[], error: object): void {
  if (rest.length === 0) target[first] ??= error
  else {
    target[first] ??= {}
    nest(target[first], rest, error)
  }
}

function problemOf(refusal: SentRefusal, isField: (name: string) => boolean): FieldProblem {
  return { name: fieldOfPath(refusal.path, isField), message: refusal.message }
}

/** Fields whose text says no value. The form's values hold nothing of them, so its own check cannot know. */
function unreadableFields(form: HTMLElement | null): FieldProblem[] {
  const inputs = form?.querySelectorAll<HTMLElement>('[data-unreadable]') ?? []
  return Array.from(inputs, input => ({
    name: input.closest<HTMLElement>('[data-field]')?.dataset.field ?? '',
    message: input.dataset.unreadable ?? '',
  }))
}

/** Problems in the order of the fields on the screen, starting with those that belong to none. */
function inOrderOf(form: HTMLElement | null, problems: readonly FieldProblem[]): readonly FieldProblem[] {
  const fields = form?.querySelectorAll<HTMLElement>('[data-field]') ?? []
  const places = new Map(Array.from(fields, (field, at) => [field.dataset.field, at]))
  const placeOf = ({ name }: FieldProblem) => places.get(name) ?? -1
  return problems.toSorted((a, b) => placeOf(a) - placeOf(b))
}

function focusField<V extends FieldValues>(form: { setFocus(name: FieldPath<V>): void }, name: string): void {
  form.setFocus(name as FieldPath<V>)
}
