import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql'

/**
 * Whether a field of this name is asked for anywhere below the field that is being resolved, for what is expensive to
 * read. What a directive leaves out counts as asked for.
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
