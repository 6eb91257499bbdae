import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql'

/**
 * Whether the query selects a field of this name anywhere below the field being resolved. Resolvers use it to skip
 * expensive reads. `@skip` and `@include` are ignored: such fields count as selected.
 */
export function asksFor(
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  name: string,
): boolean {
  const selects = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some(selection => {
      if (selection.kind === 'FragmentSpread') return selects(fragments[selection.name.value]?.selectionSet)
      if (selection.kind === 'Field' && selection.name.value === name) return true
      return selects(selection.selectionSet)
    }) ?? false
  return fieldNodes.some((node: FieldNode) => selects(node.selectionSet))
}
