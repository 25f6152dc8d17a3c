// Parses URLs from untrusted text: settings, feeds and articles.

/** The URL of a page: http or https, with a host and without credentials; `null` for any other text. */
export const webUrl = (text: string, base?: string): URL | null => {
  const url = URL.parse(text, base)
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") return null
  return url.username === "" && url.password === "" ? url : null
}
