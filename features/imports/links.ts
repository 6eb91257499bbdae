/** The import of records from files. Reached from the command palette and the setup guide, not from the sidebar. */
export const IMPORTS_PATH = '/managements/imports'
