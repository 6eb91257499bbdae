import { type FragmentDefinitionNode, Kind, type OperationDefinitionNode, parse } from 'graphql'
import { expect, test } from 'vitest'
import { asksFor } from './requested-fields.ts'

/** As for the resolver of the first field. */
function asks(document: string, name: string): boolean {
  const { definitions } = parse(document)
  const operation = definitions[0] as OperationDefinitionNode
  const fragments = definitions.filter((each): each is FragmentDefinitionNode => each.kind === Kind.FRAGMENT_DEFINITION)
  const field = operation.selectionSet.selections[0]!
  if (field.kind !== Kind.FIELD) throw new TypeError(field.kind)
  return asksFor(
    { fieldNodes: [field], fragments: Object.fromEntries(fragments.map(each => [each.name.value, each])) },
    name,
  )
}

test('a field is found at any depth, under an alias, and through fragments', () => {
  expect(asks('{ list { total nodes { id before: compared { from } } } }', 'compared')).toBe(true)
  expect(asks('{ list { nodes { ... on Row { compared { from } } } } }', 'compared')).toBe(true)
  const fragments = 'fragment A on Row { ...B } fragment B on Row { compared { from } }'
  expect(asks(`{ list { nodes { ...A } } } ${fragments}`, 'compared')).toBe(true)
  expect(asks('{ list { nodes { compared @include(if: false) { from } } } }', 'compared')).toBe(true)
})

test('a field that only has the name as an alias, or stands beside, is not', () => {
  expect(asks('{ list { total nodes { compared: id } } }', 'compared')).toBe(false)
  expect(asks('{ list { total } other { compared { from } } }', 'compared')).toBe(false)
  expect(asks('{ total }', 'compared')).toBe(false)
})
