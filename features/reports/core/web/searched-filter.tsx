import { useQuery } from '@apollo/client/react'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { MultiSelect } from '@pc/ui/filter/multi-select.tsx'
import { useState } from 'react'

export interface FilterProps {
  value: readonly string[]
  onChange: (ids: readonly string[]) => void
}

export interface NamedNode {
  readonly id: string
  readonly name: string | null
}

interface SearchedFilterProps<D, Node extends NamedNode> extends FilterProps {
  label: string
  document: TypedDocumentNode<D, never>
  /** Query variables besides the search text. */
  variables?: Readonly<Record<string, unknown>>
  pick: (data: D) => { readonly total: number; readonly nodes: readonly Node[] } | null | undefined
  /** Chosen entities whose names are known already, so that they are not queried. */
  named?: readonly Node[]
  /** The label of an option; `all` are the listed ones, to tell equal names apart. */
  labelOf?: (node: Node, all: readonly Node[]) => string
  /** The greatest number of choices. */
  most?: number
  /** Shown below the options. */
  hint?: string
}

const NOTHING: readonly never[] = []

/** A select over thousands of names: the server searches. Names that were found before are remembered. */
export function SearchedFilter<D, Node extends NamedNode>(props: SearchedFilterProps<D, Node>) {
  const { label, document, pick, value, onChange, named, labelOf } = props
  const [isWanted, setWanted] = useState(false)
  const [text, setText] = useState('')
  const [found, setFound] = useState<readonly Node[]>([])
  const known = withFirst(named ?? NOTHING, found)
  const isSkipped = !isWanted && (named !== undefined || value.length === 0)
  const result = useQuery(document as TypedDocumentNode<D, Record<string, unknown>>, {
    variables: { ...props.variables, ...(text === '' ? {} : { q: text }) },
    skip: isSkipped,
  })
  const answer = (result.data ?? result.previousData) as D | undefined
  const list = answer === undefined ? undefined : pick(answer)
  const nodes = list?.nodes ?? NOTHING
  const news = nodes.filter(node => !found.some(old => old.id === node.id))
  // Set while rendering, so that the names are there in the same paint.
  if (news.length > 0) setFound([...found, ...news])
  const chosen = known.filter(node => value.includes(node.id))
  const options = text === '' ? withFirst(chosen, nodes) : nodes
  return (
    <MultiSelect
      label={label}
      options={withFirst(options, chosen).map(node => ({
        value: node.id,
        label: labelOf?.(node, known) ?? node.name ?? `ID ${node.id}`,
      }))}
      value={value}
      onChange={onChange}
      onOpen={() => setWanted(true)}
      onSearch={setText}
      isLoading={result.loading}
      hasMore={list !== undefined && list !== null && list.total > list.nodes.length}
      {...(props.most === undefined ? {} : { most: props.most })}
      {...(props.hint === undefined ? {} : { hint: props.hint })}
    />
  )
}

function withFirst<Node extends NamedNode>(first: readonly Node[], rest: readonly Node[]): Node[] {
  return [...first, ...rest.filter(node => !first.some(other => other.id === node.id))]
}
