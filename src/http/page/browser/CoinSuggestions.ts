// Finds coins while one types: by name, ticker or contract address, from `/v1/search`. What is found is offered in the list of the
// field, whose values are ids.
import type { Search } from "./Answers.ts"
import { find, h } from "./Elements.ts"
import { ask } from "./Request.ts"

/** Milliseconds without a key before the search: each one costs a request of the quota. */
const PAUSE = 300

const FEWEST_CHARACTERS = 2

const MOST = 8

export const suggestCoins = (field: string, list: string): void => {
  const input = find(HTMLInputElement, `#${field}`)
  const options = find(HTMLDataListElement, `#${list}`)
  const searched = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const isOffered = (text: string) =>
    [...options.options].some(({ value }) => value.toLowerCase() === text.toLowerCase())

  const search = async (query: string) => {
    searched.add(query)
    const result = await ask<Search>(`/v1/search?${new URLSearchParams({ q: query, limit: String(MOST) })}`)
    if (!result.ok || input.value.trim() !== query) return
    for (const { id, name, symbol } of result.data.coins) {
      const known = [...options.options].find(({ value }) => value === id)
      // Browsers show the options that contain what is typed: a misspelt word or an address has to stand in the text.
      const text = `${name} (${symbol})`
      const shown = `${id} ${text}`.toLowerCase().includes(query.toLowerCase()) ? text : `${text}, for ${query}`
      const option = h("option", { value: id }, shown)
      if (known === undefined) options.append(option)
      else known.replaceWith(option)
    }
  }

  input.addEventListener("input", () => {
    clearTimeout(timer)
    const query = input.value.trim()
    if ([...query].length < FEWEST_CHARACTERS || [...query].length > 100) return
    if (searched.has(query) || isOffered(query)) return
    timer = setTimeout(() => void search(query), PAUSE)
  })
}
