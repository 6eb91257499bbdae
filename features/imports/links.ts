/** Records that are brought in from files; reached from the command palette and the setup guide. */
export const IMPORTS_PATH = '/managements/imports'
