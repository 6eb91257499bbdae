/** An element with the line of its start tag (from 1). Text is raw: references are not resolved. */
export interface XmlElement {
  /** Qualified name in lower case, because feeds differ in case. */
  readonly name: string
  readonly line: number
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** The element's own text and CDATA in order, without that of children. */
  readonly text: string
}

export function childOf(element: XmlElement | undefined, ...names: readonly string[]): XmlElement | undefined {
  return element?.children.find(child => names.includes(child.name))
}

export function childrenOf(element: XmlElement | undefined, ...names: readonly string[]): readonly XmlElement[] {
  return element?.children.filter(child => names.includes(child.name)) ?? []
}

/** The name without its prefix. */
export function localName(element: XmlElement): string {
  return element.name.slice(element.name.indexOf(':') + 1)
}
