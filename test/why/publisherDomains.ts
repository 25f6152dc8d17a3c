// Where a publisher is found, by its name: tests name publishers, and the engine knows them by domain.
import publishers from "../../src/domain/publishers.json" with { type: "json" }

const { exchanges, projects, regulators, tier1, tier2, tier3 } = publishers

const newsrooms = [tier1, tier2, tier3].flatMap(({ crypto, general }) => [crypto, general])

const byName: ReadonlyMap<string, string> = new Map(
  [regulators, projects, exchanges, ...newsrooms]
    .flatMap((names) => Object.entries(names))
    .toReversed()
    .map(([domain, name]) => [name, domain])
)

/** The first domain that the table has for a name, else one derived from the name. */
export const domainOfPublisher = (name: string): string =>
  byName.get(name) ?? `${name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")}.com`
