interface EntityCondition {
  readonly mediumId: readonly string[]
  readonly organizationId: readonly string[]
  readonly publisherId: readonly string[]
}

/** The condition's ids as the API takes them: no id is no restriction. */
export function entityParam({ mediumId, organizationId, publisherId }: EntityCondition) {
  return {
    ...(mediumId.length > 0 ? { mediumIds: mediumId } : {}),
    ...(organizationId.length > 0 ? { organizationIds: organizationId } : {}),
    ...(publisherId.length > 0 ? { publisherIds: publisherId } : {}),
  }
}
