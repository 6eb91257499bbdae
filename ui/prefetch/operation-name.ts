import type { DocumentNode } from '@apollo/client'

/** Every document of ours holds one operation with a name. */
export function nameOf(document: DocumentNode): string {
  const operation = document.definitions.find(one => one.kind === 'OperationDefinition')
  return (operation && 'name' in operation && operation.name?.value) || ''
}
