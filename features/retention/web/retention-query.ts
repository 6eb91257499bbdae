import { RetentionDocument } from './retention.gen.ts'

export const retentionQuery = { document: RetentionDocument, variables: () => ({}) }
