import { IconAlertTriangle, IconLock, IconMapQuestion, IconRefresh } from '@tabler/icons-react'
import { Component, type ReactNode } from 'react'
import { Button } from '../elements/button.tsx'
import styles from './screen-states.module.css'

/** A message in place of content: what happened, and what can be done. */
export function Message(props: { icon?: ReactNode; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.message}>
      {props.icon && <span className={styles.icon}>{props.icon}</span>}
      <h2>{props.title}</h2>
      {props.children && <p>{props.children}</p>}
      {props.action}
    </div>
  )
}

export function LoadingScreen() {
  return (
    <div className="loading-screen" role="status">
      読み込み中
    </div>
  )
}

export function ForbiddenScreen({ title }: { title: string }) {
  return (
    <Message icon={<IconLock size={28} stroke={1.6} aria-hidden />} title={`「${title}」を表示する権限がありません`}>
      必要な場合は、管理者に権限の追加を依頼してください。
    </Message>
  )
}

export function MissingScreen() {
  return (
    <Message
      icon={<IconMapQuestion size={28} stroke={1.6} aria-hidden />}
      title="ページが見つかりません"
      action={<a href="#/">ホームへ戻る</a>}
    >
      URLが変わったか、削除された可能性があります。
    </Message>
  )
}

export function FailedContent(props: { title?: string; children?: ReactNode; onRetry: () => void }) {
  return (
    <Message
      icon={<IconAlertTriangle size={28} stroke={1.6} aria-hidden />}
      title={props.title ?? 'データを読み込めませんでした'}
      action={
        <Button onClick={props.onRetry} icon={<IconRefresh size={16} aria-hidden />}>
          もう一度読み込む
        </Button>
      }
    >
      {props.children ?? '通信状態を確認して、もう一度お試しください。'}
    </Message>
  )
}

/** Placeholder of a screen whose code is loading: title and space, so that nothing moves. */
export function ScreenSkeleton({ title }: { title: string }) {
  return (
    <div className={styles.skeleton} aria-busy="true">
      <h1>{title}</h1>
      <Skeleton height={112} />
      <Skeleton height={320} />
    </div>
  )
}

export function Skeleton({ height }: { height: number }) {
  return <div className={styles.bone} style={{ height }} aria-hidden />
}

interface BoundaryProps {
  /** The current address; another one resets the error. */
  readonly address: string
  readonly children: ReactNode
}
interface BoundaryState {
  readonly hasFailed: boolean
  readonly address: string
}

/**
 * Catches a fault of a view, or a chunk that did not load because a new version was deployed. The message appears in
 * place, and the menu stays usable.
 */
export class ScreenBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { hasFailed: false, address: this.props.address }
  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { hasFailed: true }
  }
  static getDerivedStateFromProps(props: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return props.address === state.address ? null : { hasFailed: false, address: props.address }
  }
  override componentDidCatch(error: Error): void {
    console.error(error)
  }
  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return (
      <FailedContent title="画面を表示できませんでした" onRetry={() => location.reload()}>
        通信が切れているか、新しい版が公開された可能性があります。通信状態を確認して、再読み込みしてください。
      </FailedContent>
    )
  }
}
