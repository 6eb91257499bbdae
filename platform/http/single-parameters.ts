/**
 * The query parameters; undefined when one appears twice, because one part of the program could check the first value
 * and another use the second.
 */
export function singleParameters({ searchParams }: URL): Readonly<Record<string, string>> | undefined {
  return new Set(searchParams.keys()).size === searchParams.size ? Object.fromEntries(searchParams) : undefined
}
