import type { DocumentNode } from '@apollo/client'

/** The operation's name; each of our documents has one named operation. */
export function nameOf(document: DocumentNode): string {
  const operation = document.definitions.find(one => one.kind === 'OperationDefinition')
  return (operation && 'name' in operation && operation.name?.value) || ''
}
