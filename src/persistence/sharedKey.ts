// The names of the keys in Redis. All have one hash tag (`{all}`), so that a cluster keeps them on one node, where one script may use
// several of them.

/** The key with this name. */
export const sharedKey = (name: string): string => `cda:{all}:${name}`
