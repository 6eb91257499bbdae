import { API_KEY_PAGE_SIZE, type ApiKeyCondition } from '../api-key-condition.ts'
import { ApiKeysDocument, type ApiKeysQueryVariables } from './api-keys.gen.ts'

export const apiKeysQuery = {
  document: ApiKeysDocument,
  variables: ({ page }: ApiKeyCondition): ApiKeysQueryVariables => ({
    limit: API_KEY_PAGE_SIZE,
    offset: (page - 1) * API_KEY_PAGE_SIZE,
  }),
}
