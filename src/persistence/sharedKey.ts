// The names of the keys in Redis. All have the hash tag `{all}`: a cluster stores them on one node, so that a script
// can use several of them.

export const sharedKey = (name: string): string => `cda:{all}:${name}`
