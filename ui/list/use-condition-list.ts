import type { OperationVariables } from '@apollo/client'
import { useApolloClient } from '@apollo/client/react'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { ConditionDefinition } from '@pc/domain/condition/condition.ts'
import type { ScreenContext, ScreenProps } from '../routing/define-route.ts'
import type { Sort } from '../table/column.ts'
import { orderOfSort, sortOfOrder } from './list-order.ts'
import { loadPieces, type Piece } from './load-all.ts'

/** What the filter of every list has. */
interface ListCondition {
  readonly order: string
  readonly page: number
}

/** What tells one list from another. */
export interface ListKind<C extends ListCondition, D, V, Row> {
  readonly condition: ConditionDefinition<C>
  readonly orders: readonly C['order'][]
  readonly pageSize: number
  /** The screen's own query: asked again, piece by piece, for the whole list. */
  readonly query: { readonly document: TypedDocumentNode<D, V>; variables(condition: C, context: ScreenContext): V }
  list(data: D): Piece<Row> | null | undefined
  /** Parts of the condition that narrow nothing: which side of the list is shown. */
  readonly notFilters?: readonly (keyof C)[]
}

/** How a list hangs on its condition: what is shown, what leads to other rows, and the way to all of them. */
export function useConditionList<C extends ListCondition, D, V extends OperationVariables, Row>(
  props: ScreenProps<C, D>,
  kind: ListKind<C, D, V, Row>,
) {
  const client = useApolloClient()
  const { condition, setCondition, viewer, today, ids } = props
  const list = props.data === undefined ? undefined : kind.list(props.data)
  const to = (next: Partial<ListCondition>) => setCondition(next as Partial<C>)
  /** Another filter or order begins at the first page. */
  const change = (next: Partial<C>) => setCondition({ page: 1, ...next } as Partial<C>)
  return {
    change,
    /** For `ListScreen`. */
    shown: {
      rows: list?.nodes ?? [],
      total: list?.total ?? 0,
      page: condition.page,
      pageSize: kind.pageSize,
      onPage: (page: number) => to({ page }),
      sort: sortOfOrder(condition.order),
      onSort(sort: Sort) {
        const order = orderOfSort(sort, kind.orders)
        if (order !== undefined) to({ page: 1, order })
      },
      isLoading: props.isLoading,
      // Parts of an answer may be refused while the list is there.
      error: list && !props.isPrevious ? undefined : props.error,
      retry: props.retry,
      isFiltered: narrows(kind, condition),
      filterCount: countFilters(kind, condition),
      onClearFilters: () => setCondition({ ...kind.condition.defaults, order: condition.order }),
    },
    /** Every row of the list as it is filtered and ordered now. */
    pieces: () =>
      loadPieces(async page => {
        const variables = { ...kind.query.variables(condition, { viewer, today, ids }), ...page }
        const query = kind.query.document as TypedDocumentNode<D, OperationVariables>
        const { data } = await client.query({ query, variables })
        return data && kind.list(data as D)
      }),
  }
}

/** How many parts of a condition leave rows out, besides the words that are searched for. */
function countFilters<C extends ListCondition, D, V, Row>(kind: ListKind<C, D, V, Row>, condition: C): number {
  const { defaults } = kind.condition
  const others = (Object.keys(condition) as (keyof C)[]).filter(name => name !== 'q')
  return others.filter(name => narrows(kind, { ...defaults, [name]: condition[name] })).length
}

/** Whether a condition leaves rows out: neither its order nor its page does. */
function narrows<C extends ListCondition, D, V, Row>(kind: ListKind<C, D, V, Row>, condition: C): boolean {
  const { defaults, format } = kind.condition
  const indifferent: readonly (keyof C)[] = ['order', 'page', ...(kind.notFilters ?? [])]
  const kept: Partial<C> = {}
  for (const name of indifferent) kept[name] = defaults[name]
  return format({ ...condition, ...kept }) !== undefined
}
