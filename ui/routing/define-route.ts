import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { GranularAction } from '@pc/domain/access/action.ts'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { ConditionDefinition } from '@pc/domain/condition/condition.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { ComponentType } from 'react'
import type { Clients } from '../data/client.ts'
import type { Viewer } from '../session/viewer.tsx'

/** What a screen may depend on besides its condition. */
export interface ScreenContext {
  readonly viewer: Viewer
  /** Today in Asia/Tokyo. */
  readonly today: Day
  /** Ids in the path, for example `{ articleId: '5' }`. */
  readonly ids: Readonly<Record<string, string>>
}

/** The properties of a view. No view fetches its own main data. */
export interface ScreenProps<C, D> extends ScreenContext {
  readonly condition: C
  /** Changes the address; parameters that are not named stay as they are. */
  setCondition(change: Partial<C>): void
  /** Partial when some fields failed; the last good answer during a repetition and after its failure. */
  readonly data: D | undefined
  /** The data answer the previous condition, because the answer to this one is loading or failed. */
  readonly isPrevious?: boolean
  readonly isLoading: boolean
  readonly error: unknown
  retry(): void
}

export interface Allow {
  readonly action: GranularAction
  readonly resource: ResourceName
}

/** A part of the manual, `page.html#section`; where publisher users read another one, both. */
type Help = string | { readonly staff: string; readonly publisher: string }

/** A screen as a value; the route table of an application is a list of them. */
export interface Screen {
  /** The path without the condition segment; ids as `$articleId`. */
  readonly path: string
  readonly title: string
  /** The title for this person, where it depends on what they may do. */
  titleFor(viewer: Viewer): string
  readonly help: Help | undefined
  readonly allow: Allow
  readonly isOwn: boolean
  readonly condition: ConditionDefinition<object> | undefined
  readonly query: ScreenQuery | undefined
  /** Used instead of `query` when the query loads with the screen's code. */
  readonly loadQuery: (() => Promise<ScreenQuery>) | undefined
  load(): Promise<ComponentType<ScreenProps<object, unknown>>>
}

export interface ScreenQuery {
  readonly document: TypedDocumentNode<unknown, Record<string, unknown>>
  readonly api?: keyof Clients
  variables(condition: object, context: ScreenContext): Record<string, unknown>
}

interface RouteQuery<C extends object, D, V> {
  readonly document: TypedDocumentNode<D, V>
  /** The API; default: the application's own. */
  readonly api?: keyof Clients
  variables(condition: C, context: ScreenContext): V
}

interface RouteDefinition<C extends object, D, V> {
  /** The address; bookmarks contain it. */
  readonly path: `/${string}`
  readonly title: string
  readonly titleFor?: (viewer: Viewer) => string
  /** The manual about this screen and, where they have none of their own, about those whose path continues this one's. */
  readonly help?: Help
  /** The right that the screen needs; without it a message is shown instead. */
  readonly allow: Allow
  /** The screen shows only the person's own rows, so people without an agreement may open it. */
  readonly isOwn?: boolean
  readonly condition?: ConditionDefinition<C>
  /** As a function, it loads with the screen's code, and the first page does not contain its document. */
  readonly query?: RouteQuery<C, D, V> | (() => Promise<RouteQuery<C, D, V>>)
  /** The view's chunk loads with the first visit. */
  view(): Promise<ComponentType<ScreenProps<C, D>>>
}

/** Declares a screen. The types of condition, data and view must match here, because the router does not see them. */
export function defineRoute<C extends object, D, V extends Record<string, unknown>>(
  definition: RouteDefinition<C, D, V>,
): Screen {
  const { path, title, titleFor = () => title, help, allow, isOwn = false, condition, query, view } = definition
  return {
    path,
    title,
    titleFor,
    help,
    allow,
    isOwn,
    condition: condition as ConditionDefinition<object> | undefined,
    query: typeof query === 'function' ? undefined : (query as ScreenQuery | undefined),
    loadQuery: typeof query === 'function' ? (query as () => Promise<ScreenQuery>) : undefined,
    load: view as Screen['load'],
  }
}

/** The address of a screen within the page, for links: `#/reports/dashboard/granularity=weekly`. */
export function addressOf(path: string, condition?: string): string {
  return `#${path}${condition === undefined ? '' : `/${encodeCondition(condition)}`}`
}

/** Readable in the address bar: only what the path requires is encoded. */
function encodeCondition(condition: string): string {
  return encodeURIComponent(condition).replace(/%(3D|26|2C|3A|40|2B|24|3B)/g, decodeURIComponent)
}
