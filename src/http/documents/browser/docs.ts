// The script of `/docs`: its `curl` commands name this server, and each endpoint has a form that sends a request. The API key is
// sent with these requests and not stored.

const key = document.querySelector<HTMLInputElement>("#key")

const urlOf = (form: HTMLFormElement): string => {
  const query = new URLSearchParams()
  let path = form.dataset["path"] ?? ""
  for (const { dataset, name, value } of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select")) {
    if (dataset["in"] === "path") path = path.replace(`{${name}}`, encodeURIComponent(value))
    else if (value !== "") query.set(name, value)
  }
  return query.size === 0 ? path : `${path}?${query}`
}

/** JSON with line breaks; its numbers keep the digits that were sent: strings are skipped, everything else is only spaced. */
const indent = (json: string): string => {
  let depth = 0
  const newLine = (change: number) => {
    depth += change
    return `\n${"  ".repeat(depth)}`
  }
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g, (token) => {
    if (token === "{" || token === "[") return token + newLine(1)
    if (token === "}" || token === "]") return newLine(-1) + token
    if (token === ",") return token + newLine(0)
    return token === ":" ? ": " : token
  })
}

const send = async (url: string): Promise<string> => {
  try {
    const response = await fetch(url, key === null || key.value === "" ? {} : { headers: { "x-api-key": key.value } })
    const left = response.headers.get("x-ratelimit-remaining")
    const isJson = /json/.test(response.headers.get("content-type") ?? "")
    const body = await response.text()
    return `${response.status}, ${left} requests left\n\n${isJson ? indent(body) : body}`
  } catch (error) {
    return `\n${String(error)}`
  }
}

for (const code of document.querySelectorAll<HTMLElement>("[data-curl]")) {
  code.textContent = `curl '${location.origin}${code.dataset["curl"]}'`
}

const keyForm = document.querySelector<HTMLFormElement>("#key-form")
if (keyForm !== null) {
  keyForm.hidden = false
  keyForm.addEventListener("submit", (event) => event.preventDefault())
}

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-path]")) {
  form.hidden = false
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    const output = form.nextElementSibling
    if (!(output instanceof HTMLElement)) return
    const url = urlOf(form)
    output.hidden = false
    output.textContent = `GET ${url} …`
    output.textContent = `GET ${url}\n${await send(url)}`
  })
}
