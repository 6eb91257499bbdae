import { useApolloClient } from '@apollo/client/react'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { isStaffViewer, useViewer } from '@pc/ui/session/viewer.tsx'
import { IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useId } from 'react'
import { rememberGuide } from './guide-memory.ts'
import styles from './setup-card.module.css'
import { SetupGuideDocument } from './setup-guide.gen.ts'
import { factText, IMPORTS_ADDRESS, STEP_WORDS, type Step, TASK_WORDS } from './setup-words.ts'
import { putGuideAway, showGuide } from './show-guide.ts'

/** Polling interval, because other people may complete steps while the guide is open. */
const OTHERS_WORK_MS = 30_000

/** The steps that are left, with the next one highlighted. */
export function SetupCard({ steps }: { steps: readonly Step[] }) {
  const viewer = useViewer()
  const client = useApolloClient()
  const headingId = useId()
  const done = steps.filter(({ state }) => state === 'done').length
  const isDone = done === steps.length
  useEffect(() => {
    if (isDone) return
    const ask = () => {
      if (document.visibilityState === 'hidden') return
      void Promise.resolve(client.refetchQueries({ include: [SetupGuideDocument] })).catch(() => {})
    }
    const timer = setInterval(ask, OTHERS_WORK_MS)
    window.addEventListener('focus', ask)
    document.addEventListener('visibilitychange', ask)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', ask)
      document.removeEventListener('visibilitychange', ask)
    }
  }, [isDone, client])
  const next = (steps.find(({ state }) => state === 'open') ?? steps.find(({ state }) => state !== 'done'))?.key
  const putAway = async () => {
    if (!(await putGuideAway(client, viewer.id))) return
    showToast({
      tone: 'success',
      message: 'はじめてガイドを閉じました。',
      detail: '右上のアカウントのメニューから、いつでも表示できます。',
      action: { label: '元に戻す', run: () => void showGuide(client, viewer.id) },
    })
  }
  if (isDone)
    return (
      <section className={styles.card} aria-labelledby={headingId}>
        <header>
          <IconCircleCheck size={22} className={styles.check} aria-hidden />
          <h2 id={headingId}>はじめてガイドは完了です</h2>
          <Button tone="quiet" onClick={() => rememberGuide(viewer.id, 'gone')}>
            閉じる
          </Button>
        </header>
        <p className={styles.note}>準備はすべて整いました。これからの作業は「対応が必要なこと」に表示します。</p>
      </section>
    )
  const isOperator = isStaffViewer(viewer)
  return (
    <section className={styles.card} aria-labelledby={headingId}>
      <header>
        <h2 id={headingId}>はじめてガイド</h2>
        <progress value={done} max={steps.length} aria-labelledby={headingId} />
        <span className={styles.count}>{`${done} / ${steps.length} 完了`}</span>
        {!viewer.impersonation && (
          <Button tone="quiet" onClick={() => void putAway()}>
            ガイドを閉じる
          </Button>
        )}
      </header>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <StepRow key={step.key} step={step} number={index + 1} isNext={step.key === next} />
        ))}
      </ol>
      {isOperator && viewer.can('write:create', 'insight:agreement.') && (
        <p className={styles.note}>
          ほかのシステムから移る場合は、組織・契約・口座・繰越額を<a href={IMPORTS_ADDRESS}>まとめて取り込めます</a>。
        </p>
      )}
    </section>
  )
}

function StepRow({ step, number, isNext }: { step: Step; number: number; isNext: boolean }) {
  const { title, why } = STEP_WORDS[step.key]
  const isDone = step.state === 'done'
  const action = step.state === 'open' && step.nextTask ? TASK_WORDS[step.nextTask].action : undefined
  return (
    <li data-state={step.state} data-next={isNext || undefined} aria-current={isNext ? 'step' : undefined}>
      {isDone ? (
        <IconCircleCheck size={22} className={styles.check} role="img" aria-label="完了" />
      ) : (
        <span className={styles.number} aria-hidden>
          {number}
        </span>
      )}
      <div className={styles.text}>
        <h3>
          {title}
          {isNext && <Badge tone="ok">次はここから</Badge>}
        </h3>
        {!isDone && <p>{why}</p>}
        <p className={styles.facts}>{step.found.map(factText).join('・')}</p>
        {!isDone && <p className={styles.who}>{whoText(step)}</p>}
      </div>
      {action && (
        <a href={action.address} className={styles.action} data-primary={isNext || undefined}>
          {action.label}
        </a>
      )}
    </li>
  )
}

/** Who may do the step, and what to do when it is somebody else or a step must come first. */
function whoText({ state, nextTask, roleLabels, waitsFor }: Step): string {
  const titles = waitsFor.map(key => `「${STEP_WORDS[key].title}」`).join('')
  // Waiting steps of the operator.
  if (state === 'waiting' && roleLabels.length === 0) return `${titles}が済むと進みます。`
  if (state === 'waiting') return `先に${titles}を済ませてください。`
  if (roleLabels.length === 0) return (nextTask && TASK_WORDS[nextTask].byOperator) || '運営に連絡してください。'
  const roles = roleLabels.join('、')
  return state === 'open' ? `担当：${roles}` : `${roles}に依頼してください。`
}
