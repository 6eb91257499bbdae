import type { SearchSection } from '../manual-search-index.ts'

export function foldText(text: string): { readonly text: string; readonly places: readonly number[] }

export function findSections(
  sections: readonly SearchSection[],
  query: string,
): readonly (SearchSection & { readonly block: string | undefined })[]

export function snippetOf(block: string, query: string): string
