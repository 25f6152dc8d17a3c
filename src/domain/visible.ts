/** The text without control and formatting characters and line separators, for messages and comments. */
export const visible = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
