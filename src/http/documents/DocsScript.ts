// What the page of the documentation does when scripts run: its `curl` lines name this server, and each endpoint can be tried.
// The key is sent and not kept. Kept as text, like the script of the page at `/`.

/** The script, as it is sent. */
export const script = `
for (const line of document.querySelectorAll("[data-curl]")) line.textContent = "curl '" + location.origin + line.dataset.curl + "'"
const key = document.getElementById("key")
key.form.hidden = false
key.form.addEventListener("submit", (event) => event.preventDefault())
const address = (form) => {
  const query = new URLSearchParams()
  let path = form.dataset.path
  for (const { name, value, dataset } of form.querySelectorAll("input")) {
    if (dataset.in === "path") path = path.replace("{" + name + "}", encodeURIComponent(value))
    else if (value !== "") query.set(name, value)
  }
  return path + (query.size > 0 ? "?" + query : "")
}
const shown = (text) => {
  try { return JSON.stringify(JSON.parse(text, (key, value, context) => typeof value === "number" && JSON.rawJSON && context ? JSON.rawJSON(context.source) : value), null, 2) } catch { return text }
}
for (const form of document.querySelectorAll("form[data-path]")) {
  form.hidden = false
  const output = form.nextElementSibling
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    const path = address(form)
    output.hidden = false
    output.textContent = "GET " + path + " …"
    try {
      const response = await fetch(path, { headers: key.value === "" ? {} : { "x-api-key": key.value } })
      const left = response.headers.get("x-ratelimit-remaining")
      output.textContent = "GET " + path + "\\n" + response.status + ", " + left + " requests left\\n\\n" + shown(await response.text())
    } catch (error) {
      output.textContent = "GET " + path + "\\n\\n" + error.message
    }
  })
}
`
