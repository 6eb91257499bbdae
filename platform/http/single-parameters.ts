/**
 * The parameters of an address; undefined when one of them stands there twice: what is checked and what is used could then
 * be two things.
 */
export function singleParameters({ searchParams }: URL): Readonly<Record<string, string>> | undefined {
  return new Set(searchParams.keys()).size === searchParams.size ? Object.fromEntries(searchParams) : undefined
}
