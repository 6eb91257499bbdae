/** The fields of a record that people edit, in the order of what they are called. */
export function fieldNamesOf<Name extends string>(labels: Readonly<Record<Name, string>>): readonly Name[] {
  return Object.keys(labels) as Name[]
}

/** The fields of these names, and nothing else that the row has. */
export function fieldsOf<Name extends string, Row extends { readonly [Each in Name]?: unknown }>(
  names: readonly Name[],
  row: Row,
): Pick<Row, Name & keyof Row> {
  const named = new Set<string>(names)
  return Object.fromEntries(Object.entries(row).filter(([name]) => named.has(name))) as Pick<Row, Name & keyof Row>
}

type Given<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Without the fields that are undefined, which would else overwrite what is there. */
export function givenOf<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>
}
