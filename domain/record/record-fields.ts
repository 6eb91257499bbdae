/** The names of a record's editable fields, in the order of their labels. */
export function fieldNamesOf<Name extends string>(labels: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(labels) as Name[]
}

/** Only these fields of a row. */
export function fieldsOf<Name extends string, Row extends { readonly [Each in Name]?: unknown }>(
  names: readonly Name[],
  row: Row,
): Pick<Row, Name & keyof Row> {
  const named = new Set<string>(names)
  return Object.fromEntries(Object.entries(row).filter(([name]) => named.has(name))) as Pick<Row, Name & keyof Row>
}

type Given<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** The object without undefined fields, which would overwrite stored values. */
export function givenOf<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>
}
