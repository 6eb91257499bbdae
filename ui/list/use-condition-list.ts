import type { OperationVariables } from '@apollo/client'
import { useApolloClient } from '@apollo/client/react'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { ConditionDefinition } from '@pc/domain/condition/condition.ts'
import type { ScreenContext, ScreenProps } from '../routing/define-route.ts'
import type { Sort } from '../table/column.ts'
import { orderOfSort, sortOfOrder } from './list-order.ts'
import { loadPieces, type Piece } from './load-all.ts'

/** The parts that every list's condition has. */
interface ListCondition {
  readonly order: string
  readonly page: number
}

/** Definition of a list. Use a constant. */
export interface ListKind<C extends ListCondition, D, V, Row> {
  readonly condition: ConditionDefinition<C>
  readonly orders: readonly C['order'][]
  readonly pageSize: number
  /** The screen's own query, which is also used to fetch all rows page by page. */
  readonly query: { readonly document: TypedDocumentNode<D, V>; variables(condition: C, context: ScreenContext): V }
  list(data: D): Piece<Row> | null | undefined
  /** Parts of the condition that do not filter, such as which tab is shown. */
  readonly notFilters?: readonly (keyof C)[]
}

/**
 * Connects a list screen to the condition in its address: rows, paging, sorting, filters, and all rows for an export.
 */
export function useConditionList<C extends ListCondition, D, V extends OperationVariables, Row>(
  props: ScreenProps<C, D>,
  kind: ListKind<C, D, V, Row>,
) {
  const client = useApolloClient()
  const { condition, setCondition, viewer, today, ids } = props
  const list = props.data === undefined ? undefined : kind.list(props.data)
  const to = (next: Partial<ListCondition>) => setCondition(next as Partial<C>)
  /** Any change of filter or order returns to the first page. */
  const change = (next: Partial<C>) => setCondition({ page: 1, ...next } as Partial<C>)
  return {
    change,
    /** Properties for `ListScreen`. */
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
      // Some fields may be refused although the list has arrived; then no error is shown.
      error: list && !props.isPrevious ? undefined : props.error,
      retry: props.retry,
      isFiltered: narrows(kind, condition),
      filterCount: countFilters(kind, condition),
      onClearFilters: () => setCondition({ ...kind.condition.defaults, order: condition.order }),
    },
    /** All rows of the current filter and order, page by page. */
    pieces: () =>
      loadPieces(async page => {
        const variables = { ...kind.query.variables(condition, { viewer, today, ids }), ...page }
        const query = kind.query.document as TypedDocumentNode<D, OperationVariables>
        const { data } = await client.query({ query, variables })
        return data && kind.list(data as D)
      }),
  }
}

/** Number of active filters, without the text search. */
function countFilters<C extends ListCondition, D, V, Row>(kind: ListKind<C, D, V, Row>, condition: C): number {
  const { defaults } = kind.condition
  const others = (Object.keys(condition) as (keyof C)[]).filter(name => name !== 'q')
  return others.filter(name => narrows(kind, { ...defaults, [name]: condition[name] })).length
}

/** Whether a condition filters rows. Order and page do not count. */
function narrows<C extends ListCondition, D, V, Row>(kind: ListKind<C, D, V, Row>, condition: C): boolean {
  const { defaults, format } = kind.condition
  const indifferent: readonly (keyof C)[] = ['order', 'page', ...(kind.notFilters ?? [])]
  const kept: Partial<C> = {}
  for (const name of indifferent) kept[name] = defaults[name]
  return format({ ...condition, ...kept }) !== undefined
}
